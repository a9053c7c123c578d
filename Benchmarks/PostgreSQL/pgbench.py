"""PostgreSQL alone, under pgbench: what an upload must cost at least."""

import os
import re

import prepare
from processes import Failed

# As many as the hot users of the service, and as many clients as it has connections. One upload in a statement has the
# 64 clients of the load.
USERS = 512
CLIENTS = {1: 64, 32: 8}
COUNT = re.compile(r"number of transactions actually processed: (\d+)")
FAILED = re.compile(r"number of failed transactions: [1-9]")
ONE = """\\set owner random(0, 511)
WITH stored AS (INSERT INTO upload (owner, content) VALUES (:owner, :content::bytea))
UPDATE owner SET version = version + 1 WHERE id = :owner;
"""
# Each client has users of its own, because two statements would wait for each other.
MANY = """\\set first :client_id * 64
WITH stored AS (
    INSERT INTO upload (owner, content) SELECT owner, :content::bytea FROM generate_series(:first, :first + 31) owner)
UPDATE owner SET version = version + 1 WHERE id BETWEEN :first AND :first + 31;
"""


class Pgbench:
    """One durable INSERT of 4 KB and one UPDATE for each upload. A statement has the uploads of `users` users."""

    def __init__(self, server, users):
        self.server, self.users = server, users
        self.database = f"pgbench_{users}"

    def prepare(self):
        self.server.database(self.database)
        self.run("psql", "-Xq", "--set", "ON_ERROR_STOP=1", "--dbname", self.database, "--command", f"""
            CREATE TABLE owner (id integer PRIMARY KEY, version bigint NOT NULL);
            INSERT INTO owner SELECT id, 0 FROM generate_series(0, {USERS - 1}) id;
            CREATE TABLE upload (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner integer NOT NULL, content bytea NOT NULL);
            ALTER TABLE upload ALTER COLUMN content SET STORAGE EXTERNAL""")
        self.script = os.path.join(self.server.folder, f"{self.database}.sql")
        with open(self.script, "w") as file:
            file.write(ONE if self.users == 1 else MANY)

    def run(self, name, *arguments):
        return self.server.program(name, *self.server.address_options(), *arguments)

    def times(self):
        return {"server": self.server.seconds(), "log": self.server.log_position()}

    def measure(self, _, options):
        content = "\\x" + prepare.archive_of(4096)[0].hex()
        before = self.times()
        output = self.run(
            "pgbench", "--no-vacuum", "--protocol", "prepared", "--client", str(CLIENTS[self.users]), "--jobs", "2",
            "--time", str(options.seconds), "--define", f"content={content}", "--file", self.script, self.database)
        after = self.times()
        if FAILED.search(output) or not (found := COUNT.search(output)):
            raise Failed(f"pgbench failed: {output.strip()[-300:]}")
        count = int(found.group(1)) * self.users
        return {
            "rate": count / options.seconds, "server": (after["server"] - before["server"]) / count * 1e6,
            "log": (after["log"] - before["log"]) / count}
