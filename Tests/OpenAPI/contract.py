"""Calls operations of a service, holds each answer against the description, and remembers what was seen."""

import gzip
import json
import re
from urllib.parse import quote, urlencode


class Contract:
    def __init__(self, service, description):
        self.service = service
        self.description = description
        self.faults = []
        self.statuses = set()
        self.codes = set()
        self.fields = set()
        self.types = set()

    def call(self, operation, /, status, code=None, **request):
        """Calls an operation, and expects a status and, of a problem, a code. Gives the answer."""
        answer = self.send(operation, **request)
        return self.judge(self.description.operations[operation], answer, status, code)

    def send(self, operation, /, *, token=None, query=None, fields=None, data=None, body=None, **path):
        """Sends a request; `data` goes as JSON. Gives the answer as it came."""
        operation = self.description.operations[operation]
        # Segments whose names are also names of this function's parameters.
        path = {**path, **path.pop("path", {})}
        fields = dict(fields or {})
        if data is not None:
            body = json.dumps(data).encode()
            fields.setdefault("Content-Type", "application/json")
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        target = self.target(operation, query, path)
        answer = self.service.exchange(operation.method, target, fields, body)
        if operation.method == "GET":
            self._compare_head(operation, target, fields, answer)
        return answer

    def raw_call(self, operation, /, status, code, head, *, token=None, **path):
        """Calls with a head whose body does not follow."""
        operation = self.description.operations[operation]
        lines = [f"{operation.method} {self.target(operation, None, path)} HTTP/1.1", "Host: localhost", *head]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        return self.judge(operation, self.service.raw("\r\n".join(lines + ["", ""]).encode()), status, code)

    def judge(self, operation, answer, status, code=None):
        """Holds an answer to an operation against what was expected and what is described."""
        got, fields, body = answer
        where = f"{operation.id}, {got}"
        if fields.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        type = fields.get("content-type", "").split(";")[0] or None
        document = json.loads(body) if re.search("[/+]json$", type or "") and body else None
        got_code = document["code"] if type == "application/problem+json" else None
        if (got, got_code) != (status, code):
            self.faults.append(f"{operation.id}: {got} {got_code} instead of {status} {code}: {body[:300]}")
        self.faults += [f"{where}: {fault}" for fault in operation.faults(got, fields, type, document, got_code)]
        if "x-request-id" not in fields or fields.get("x-content-type-options") != "nosniff":
            self.faults.append(f"{where}: what every answer carries is missing")
        self.statuses.add((operation.id, got))
        self.types.add((operation.id, got, type))
        self.fields.update((operation.id, got, name) for name in fields)
        if got_code is not None:
            self.codes.add(got_code)
        return Answer(got, fields, body, document)

    def target(self, operation, query, path):
        segments = {name: quote(str(value), safe="%") for name, value in path.items()}
        target = operation.path.format(**segments)
        return target + ("?" + urlencode(query) if query else "")

    def _compare_head(self, operation, target, fields, answer):
        """HEAD is GET without the body (RFC 9110 section 9.3.2)."""
        status, got, body = self.service.exchange("HEAD", target, fields)
        differing = {"date", "x-request-id", "content-length", "connection", "transfer-encoding"}
        want = {name: value for name, value in answer[1].items() if name not in differing}
        got = {name: value for name, value in got.items() if name not in differing}
        if (status, got, body) != (answer[0], want, b""):
            self.faults.append(f"{operation.id}: HEAD answers {status} {got} and GET {answer[0]} {want}")

    def unseen(self, elsewhere):
        """What is described and was never answered: statuses, codes, fields and content types."""
        missing = []
        for operation in self.description.operations.values():
            for status, response in operation.responses.items():
                if (operation.id, status) not in self.statuses:
                    if not set(self.description.codes(response)) & elsewhere:
                        missing.append(f"{operation.id} never answered {status}")
                    continue
                for name in set(response.get("headers", {})) - elsewhere:
                    if (operation.id, status, name.lower()) not in self.fields:
                        missing.append(f"{operation.id}, {status}: the field {name} was never there")
                for type in response.get("content", {}):
                    if (operation.id, status, type) not in self.types:
                        missing.append(f"{operation.id}, {status}: the content type {type} was never there")
        missing += [f"the code {code} was never answered" for code in self.description.problems
                    if code not in self.codes | elsewhere]
        return missing + [f"the code {code} is answered after all" for code in self.codes & elsewhere]


class Answer:
    def __init__(self, status, fields, body, document):
        self.status = status
        self.fields = fields
        self.body = body
        self.document = document
