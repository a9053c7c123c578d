"""The walk through every operation, by every status and code that can be had from outside."""

import base64
import hashlib
import hmac
import json
import re
import struct
import threading
import time
import uuid
from contextlib import ExitStack

from browsing import OPERATORS, Browsing
from description import schema_faults
from service import bare_archive, read_answer

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
JPEG = b"\xff\xd8\xff\xe0" + bytes(64)
PHONE = {"idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4"}


def new_id():
    return str(uuid.uuid4())


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def one_time_password(key):
    """The code of RFC 6238 for a key in base 32."""
    step = struct.pack(">Q", int(time.time()) // 30)
    code = hmac.new(base64.b32decode(key), step, hashlib.sha1).digest()
    return f"{(struct.unpack_from('>I', code, code[19] & 15)[0] & 0x7FFFFFFF) % 1000000:06}"


class Walk:
    def __init__(self, contract):
        self.contract = contract
        self.call = contract.call
        self.service = contract.service
        self.key = self.service.create_app("com.example.photos", allowsScreenshots="true")
        self.secret = self.service.add_secret("com.example.photos")
        registered = self.register()
        self.token, self.device = registered["token"], registered["device"]
        self.api_token = self.service.api_token("owner")
        self.app = self.call("listApps", 200, token=self.api_token).document["items"][0]["id"]
        # The variable segments of the admin API's paths.
        self.admin_path = {"app": self.app, "user": registered["user"], "identifier": "p1",
                           "session": new_id()}

    def register(self, idiom="phone", **more):
        body = {"app": self.key, "idiom": idiom, "name": "Device", "model": "iPhone16,1", **more}
        return self.call("registerDevice", 201, data=body).document

    def token_of(self, operation):
        """A token that an operation accepts, or None if it needs none."""
        if not operation.needs_token:
            return None
        return self.api_token if operation.is_administrative else self.token

    def sign_in_token(self, subject):
        head = encoded(json.dumps({"alg": "HS256", "kid": "walk"}).encode())
        claims = encoded(json.dumps({"sub": subject, "exp": time.time() + 600}).encode())
        signed = head + b"." + claims
        return (signed + b"." + encoded(hmac.digest(self.secret, signed, hashlib.sha256))).decode()

    def signed_in(self, subject):
        """The token of a device that is signed in to an account."""
        return self.register(signInToken=self.sign_in_token(subject))["token"]

    def link_code(self, token=None):
        return self.call("createLinkCode", 201, token=token or self.token).document["code"]

    def upload(self, scene="main", archive=None, body=None, status=201, token=None, **more):
        return self.call(
            "storeArchive", status, token=token or self.token, scene=scene, archive=archive or new_id(),
            body=body or bare_archive(new_id()), query=more.pop("query", PHONE), **more)

    def everything(self):
        slow = threading.Thread(target=self.timeout)
        slow.start()
        for part in (
            self.administration, self.browsing, self.examples, self.devices, self.accounts, self.tokens, self.linking, self.uploads, self.places, self.refused_uploads, self.reading, self.latest,
            self.outcomes, self.cautions, self.heads, self.screenshots, self.data_sources, self.items, self.loads, self.resolving,
            self.following, self.operations, self.without_token, self.malformed_names, self.malformed_bodies, self.queries,
            self.methods, self.messages, self.store_faults, self.throttles, self.limits, self.quotas,
            self.restoration,
        ):
            part()
        slow.join()
        self.draining()

    def second_factor(self):
        """A second factor, an invitation, and the list of sessions."""
        person = {"name": "dora", "password": "correct horse battery"}
        dora = self.call("createAdministrator", 201, token=self.api_token, data={**person, "role": "viewer"}).document
        browser = self.browser(self.call("logIn", 201, data=person))
        key = base64.b32encode(bytes(range(20))).decode()
        factor = {"password": person["password"], "secret": key, "code": one_time_password(key)}
        self.call("addSecondFactor", 422, "invalid-body", fields=browser, data={**factor, "code": "1"})
        codes = self.call("addSecondFactor", 200, fields=browser, data=factor).document["recoveryCodes"]
        self.call("logIn", 401, "second-factor-required", data=person)
        self.call("logIn", 401, "log-in-refused", data={**person, "code": factor["code"]})
        other = self.browser(self.call("logIn", 201, data={**person, "code": codes[0]}))
        removal = {"password": person["password"], "code": codes[1]}
        self.call("removeSecondFactor", 422, "invalid-body", fields=browser, data={**removal, "code": codes[0]})
        self.call("removeSecondFactor", 204, fields=browser, data=removal)
        known = self.call("listSessions", 200, fields=browser)
        self.call("listSessions", 304, fields={**browser, "If-None-Match": known.fields["etag"]})
        session = next(each["id"] for each in known.document["items"] if not each["isCurrent"])
        self.call("endSession", 204, fields=browser, path={"session": session})
        self.call("endSession", 404, "session-not-found", fields=browser, path={"session": session})
        self.call("readSession", 401, "not-logged-in", fields=other)
        cleo = self.call("createAdministrator", 201, token=self.api_token, data={"name": "cleo", "role": "viewer"}).document
        accepted = {"invitation": cleo["invitation"]["invitation"], "password": person["password"]}
        renewed = self.call("inviteAdministrator", 201, token=self.api_token, administrator=cleo["id"]).document
        self.call("acceptInvitation", 403, "set-up-refused", data=accepted)
        accepted["invitation"] = renewed["invitation"]
        cleos = self.browser(self.call("acceptInvitation", 201, data=accepted))
        self.call("addSecondFactor", 200, fields=cleos, data=factor)
        renewed = self.call("inviteAdministrator", 201, token=self.api_token, administrator=cleo["id"]).document
        accepted["invitation"] = renewed["invitation"]
        self.call("acceptInvitation", 401, "second-factor-required", data=accepted)
        self.call("inviteAdministrator", 404, "administrator-not-found", token=self.api_token, administrator=new_id())
        for person in (cleo, dora):
            self.call("removeAdministrator", 204, token=self.api_token, administrator=person["id"])

    def administration(self):
        """The admin API: a session, administrators, API tokens, and every refusal."""
        password = "correct horse battery"
        person = {"name": "walk", "password": password}
        self.not_modified("readAdminStatus", self.call("readAdminStatus", 200))
        self.call("setUp", 403, "set-up-refused", data={"secret": "x", **person})
        foreign = {"Origin": "https://evil.example"}
        set_up = {"secret": self.service.set_up_secret(), **person}
        self.call("setUp", 403, "origin-not-allowed", data=set_up, fields=foreign)
        browser = self.browser(self.call("setUp", 201, data=set_up))
        assert not self.call("readAdminStatus", 200).document["needsSetUp"]
        self.call("logIn", 403, "origin-not-allowed", data=person, fields=foreign)
        self.call("logIn", 401, "log-in-refused", data={**person, "password": "wrong"})
        other = self.browser(self.call("logIn", 201, data=person))
        known = self.call("readSession", 200, fields=browser)
        self.call("readSession", 304, fields={**browser, "If-None-Match": known.fields["etag"]})
        self.call("readSession", 401, "not-logged-in", token=self.api_token)
        change = {"password": password, "newPassword": "another horse battery"}
        self.call("changePassword", 204, fields=browser, data=change)
        self.call("readSession", 401, "not-logged-in", fields=other)
        person["password"] = change["newPassword"]

        new = {"name": "ben", "role": "viewer", "password": password}
        ben = self.call("createAdministrator", 201, token=self.api_token, data=new).document["id"]
        self.call("createAdministrator", 409, "administrator-exists", token=self.api_token, data=new)
        self.call("changeAdministrator", 200, fields=browser, administrator=ben, data={"role": "operator"})
        bens = self.browser(self.call("logIn", 201, data={"name": "ben", "password": password}))
        self.not_modified("listAdministrators", self.call("listAdministrators", 200, token=self.api_token))
        own = known.document["administrator"]["id"]
        last = {"token": self.api_token, "administrator": own}
        self.call("changeAdministrator", 409, "last-owner", data={"role": "viewer"}, **last)
        self.call("removeAdministrator", 409, "last-owner", **last)
        self.call("inviteAdministrator", 422, "invalid-body", fields=browser, administrator=own)
        for name in ("changeAdministrator", "removeAdministrator"):
            for id in (new_id(), "none"):
                body = {"data": {}} if name == "changeAdministrator" else {}
                self.call(name, 404, "administrator-not-found", token=self.api_token, administrator=id, **body)

        self.second_factor()
        made = self.call("createAPIToken", 201, fields=browser, data={"label": "x", "role": "viewer", "days": 1})
        self.not_modified("listAPITokens", self.call("listAPITokens", 200, token=self.api_token))
        self.not_modified("listServiceAudit", self.call("listServiceAudit", 200, token=self.api_token))
        self.not_modified("listApps", self.call("listApps", 200, token=made.document["token"]))
        self.refused_administration(browser, bens, foreign)
        self.call("revokeAPIToken", 204, fields=browser, **self.segment(made.document["id"]))
        self.call("removeAdministrator", 204, token=self.api_token, administrator=ben)

        for name in ("listAdministrators", "listAPITokens", "listApps", "listServiceAudit"):
            self.call(name, 400, "malformed-query", token=self.api_token, query={"limit": 0})
        while (answer := self.contract.send("logIn", data=person))[0] == 201:
            pass
        self.contract.judge(self.contract.description.operations["logIn"], answer, 429, "throttled")
        self.call("changePassword", 429, "throttled", fields=browser, data=change)
        code = {"password": "x", "code": "123456"}
        self.call("addSecondFactor", 429, "throttled", fields=browser, data={**code, "secret": "A" * 32})
        self.call("removeSecondFactor", 429, "throttled", fields=browser, data=code)
        guess = {"invitation": f"{own}.x", "password": "x" * 10}
        while (answer := self.contract.send("acceptInvitation", data=guess))[0] == 403:
            pass
        self.contract.judge(self.contract.description.operations["acceptInvitation"], answer, 429, "throttled")
        self.call("logOut", 204, fields=browser)
        self.call("logOut", 401, "not-logged-in", fields=browser)

    def browsing(self):
        """The admin API's part about apps and the data of their users."""
        Browsing(self, PNG, JPEG).everything()

    def refused_administration(self, browser, bens, foreign):
        """Every guarded operation, without a credential, of a lesser role, and from a page of another site."""
        bodies = set()
        path = {"administrator": new_id(), "scene": "main", "archive": new_id(), "name": "photos", "device": self.device,
                **self.admin_path}
        viewer = {"Authorization": f"Bearer {self.service.api_token('viewer')}"}
        for operation in self.contract.description.operations.values():
            if not operation.is_administrative or not operation.needs_token:
                continue
            used = {name: value for name, value in path.items() if "{" + name + "}" in operation.path}
            if "{token}" in operation.path:
                used.update(self.segment(new_id()))
            for fields in ({}, {"Authorization": f"Bearer {self.token}"}, {"Authorization": "Bearer pka_" + "x" * 43},
                           {"Cookie": "placekeeper=pks_" + "x" * 43}):
                bodies.add(self.call(operation.id, 401, "not-logged-in", fields=fields, **used).body)
            if operation.method != "GET":
                self.call(operation.id, 403, "csrf-token-invalid", fields={"Cookie": browser["Cookie"]}, **used)
                self.call(operation.id, 403, "origin-not-allowed", fields={**browser, **foreign}, **used)
            own = ("logOut", "changePassword", "addSecondFactor", "removeSecondFactor", "endSession")
            if 403 in operation.responses and operation.id not in own:
                lesser = viewer if operation.id in OPERATORS else bens
                self.call(operation.id, 403, "role-insufficient", fields=lesser, **used)
            if "{token}" in operation.path:
                self.call(operation.id, 404, "token-not-found", fields=browser, **used)
        assert len(bodies) == 1, "401 has more than one body"

    @staticmethod
    def segment(token):
        """The variable segment `token` of a path, which is not the token of the request."""
        return {"path": {"token": token}}

    @staticmethod
    def browser(answer):
        """The fields of a browser's next requests after an answer with a session."""
        cookie = answer.fields["set-cookie"].split(";")[0]
        return {"Cookie": cookie, "X-CSRF-Token": answer.document["csrfToken"]}

    def examples(self):
        """Each example of a body, with what only this run can know put in."""
        archive = new_id()
        self.upload(scene="examples", archive=archive)
        path = {"scene": "examples", "archive": archive, "name": "photos"}
        self.call("readLatest", 200, token=self.token, query=PHONE, scene="examples")
        known = {"registerDevice": {"app": self.key}, "linkOwnDevice": {"code": self.link_code()},
                 "resolveIdentifiers": {"device": self.device},
                 "signIn": {"token": self.sign_in_token("example")}}
        for operation in self.contract.description.operations.values():
            for type, content in operation.node.get("requestBody", {}).get("content", {}).items():
                for name, example in content.get("examples", {}).items():
                    where = f"{operation.id}, example {name}"
                    faults = schema_faults(example["value"], content["schema"])
                    self.contract.faults += [f"{where}: {fault}" for fault in faults]
                    if operation.is_administrative:
                        continue
                    used = {key: value for key, value in path.items() if "{" + key + "}" in operation.path}
                    if type == "application/json":
                        sent = {"data": {**example["value"], **known.get(operation.id, {})}}
                    else:
                        sent = {"body": example["value"].encode(), "fields": {"Content-Type": type}}
                    # A device of its own joins the user of the code, so that the others stay who they are.
                    token = self.token if operation.needs_token else None
                    if operation.id in ("linkOwnDevice", "signIn"):
                        token = self.register()["token"]
                    if operation.id == "signOut":
                        token = self.signed_in("example")
                    status = 201 if 201 in operation.responses else min(operation.responses)
                    self.call(operation.id, status, token=token, **sent, **used)
        item = self.contract.description.resolved["components"]["schemas"]["Item"]
        for line in self.example("changeItems", "application/x-ndjson", "lines").splitlines():
            self.contract.faults += [f"a line of the example: {fault}" for fault in schema_faults(json.loads(line), item)]

    def example(self, operation, type, name):
        body = self.contract.description.operations[operation].node["requestBody"]
        return body["content"][type]["examples"][name]["value"]

    def devices(self):
        own = self.call("readOwnDevice", 200, token=self.token)
        self.not_modified("readOwnDevice", own)
        other = self.register(idiom="pad", linkCode=self.link_code())
        listed = self.call("listDevices", 200, token=self.token)
        assert [item["id"] for item in listed.document["items"] if item["isSelf"]] == [own.document["id"]]
        self.not_modified("listDevices", listed)
        self.call("revokeDevice", 204, token=self.token, device=other["device"])
        self.call("revokeDevice", 404, "device-not-found", token=self.token, device=other["device"])
        self.call("revokeDevice", 404, "device-not-found", token=self.token, device="none")
        self.call("readOwnDevice", 401, "unauthorized", token=other["token"])
        leaving = self.register(idiom="phone")
        self.call("eraseUser", 204, token=leaving["token"])
        self.call("eraseUser", 401, "unauthorized", token=leaving["token"])
        self.call("revokeDevice", 404, "device-not-found", token=self.register()["token"], device="SELF")
        self.call("revokeOwnDevice", 204, token=self.register()["token"])
        for wrong, code in (
            ({"app": "pk_none", "idiom": "phone"}, "app-unknown"),
            ({"app": self.key, "idiom": "phone", "name": "x" * 129}, "device-text-invalid"),
            ({"app": self.key, "idiom": "phone", "linkCode": "00000000"}, "link-code-invalid"),
            ({"app": self.key, "idiom": "toaster"}, "invalid-body"),
        ):
            self.call("registerDevice", 422, code, data=wrong)
        closed = self.service.create_app("com.example.closed", registration="linkOnly")
        self.call("registerDevice", 403, "link-code-required", data={"app": closed, "idiom": "phone"})

    def accounts(self):
        anna, ben = self.sign_in_token("anna"), self.sign_in_token("ben")
        phone = self.register()["token"]
        assert self.call("signIn", 200, token=phone, data={"token": anna}).document["isSignedIn"]
        self.call("signIn", 409, "signed-in", token=phone, data={"token": ben})
        self.call("signIn", 401, "sign-in-token-invalid", token=phone, data={"token": anna + "x"})
        self.call("linkOwnDevice", 409, "signed-in", token=phone, data={"code": self.link_code()})
        self.call("signOut", 201, token=phone, data={"next": "anonymous"})
        self.call("signOut", 204, token=self.signed_in("anna"), data={"next": "none"})
        self.call("signOut", 409, "not-signed-in", token=self.register()["token"], data={"next": "none"})
        self.call("registerDevice", 401, "sign-in-token-invalid",
                  data={"app": self.key, "idiom": "phone", "signInToken": "x"})
        installation = {"id": new_id(), "secret": "x" * 43}
        first = self.register(installation=installation)
        assert self.register(installation=installation)["device"] == first["device"]
        cloned = {"app": self.key, "idiom": "phone", "installation": {**installation, "secret": "y" * 43}}
        self.call("registerDevice", 409, "installation-cloned", data=cloned)
        original = {"app": self.key, "idiom": "phone", "installation": installation}
        self.call("registerDevice", 201, data=original, fields={"Counted-Launch": "2-a"})
        self.call("registerDevice", 401, "installation-copied", data=original,
                  fields={"Counted-Launch": "1-b"})
        copy = {**original, "installation": {"id": new_id(), "secret": "z" * 43}, "copyOf": installation}
        self.call("registerDevice", 201, data=copy, fields={"Counted-Launch": "1-b"})
        short = {"app": self.key, "idiom": "phone", "installation": {"id": new_id(), "secret": "x"}}
        self.call("registerDevice", 422, "installation-invalid", data=short)
        closed = self.service.create_app("com.example.accounts", registration="token")
        self.call("registerDevice", 403, "sign-in-required", data={"app": closed, "idiom": "phone"})

    def tokens(self):
        owner = self.register()["token"]
        reading = self.call("replaceToken", 201, token=owner, data={"access": "readOnly"}).document["token"]
        path = {"scene": "main", "archive": new_id(), "device": new_id(), "name": "photos"}
        for operation in self.contract.description.operations.values():
            if operation.needs_token and 403 in operation.responses and not operation.is_administrative:
                used = {name: value for name, value in path.items() if "{" + name + "}" in operation.path}
                self.call(operation.id, 403, "read-only", token=reading, **used)
        self.call("replaceToken", 201, token=owner, data={"revokesPrevious": True})
        self.call("readOwnDevice", 401, "unauthorized", token=owner)
        changed = self.register()["token"]
        self.call("describeOwnDevice", 200, token=changed, data={"name": None, "systemVersion": "18.2"})
        self.call("describeOwnDevice", 422, "device-text-invalid", token=changed, data={"name": "x" * 129})
        self.call("describeOwnDevice", 422, "idiom-required", token=changed, data={"idiom": "unspecified"})

    def linking(self):
        joining = self.register()["token"]
        moved = self.call("linkOwnDevice", 200, token=joining, data={"code": self.link_code()})
        assert moved.document["isSelf"]
        self.call("linkOwnDevice", 422, "link-code-invalid", token=joining, data={"code": "00000000"})
        # As many as a user may have, of a user of their own.
        stranger = self.register()["token"]
        token = self.register()["token"]
        for _ in range(self.call("readLimits", 200).document["devices"] - 1):
            last = self.register(linkCode=self.link_code(token))["device"]
        code = self.link_code(token)
        self.call("linkOwnDevice", 409, "too-many-devices", token=stranger, data={"code": code})
        joining = {"app": self.key, "idiom": "phone", "linkCode": code}
        self.call("registerDevice", 409, "too-many-devices", data=joining)
        self.call("revokeDevice", 204, token=token, device=last)
        self.register(linkCode=self.link_code(token))

    def uploads(self):
        archive, body = new_id(), self.service.sample()
        first = self.upload(archive=archive, body=body, query=None)
        again = self.upload(archive=archive, body=body, query=None, status=200)
        assert first.fields["placekeeper-revision"] == again.fields["placekeeper-revision"]
        self.upload(archive=archive, status=409, code="archive-differs")
        head = first.fields["head-revision"]
        self.upload(fields={"If-Head": head, "Interaction-Age": "1.5", "Capture-Sequence": "7"})
        self.upload(fields={"If-Head": "none"}, status=412, code="head-moved")
        self.upload(fields={"Restored-From": first.fields["placekeeper-revision"]})
        self.call("deleteArchive", 204, token=self.token, scene="main", archive=archive)
        self.upload(archive=archive, body=body, query=None, status=410, code="archive-deleted")
        for name in ("readArchive", "deleteArchive"):
            self.call(name, 410, "archive-deleted", token=self.token, scene="main", archive=archive)
            self.call(name, 404, "archive-not-found", token=self.token, scene="main", archive=new_id())
        self.deleted = archive
        self.upload(scene="forgotten")
        self.call("forgetScene", 204, token=self.token, scene="forgotten")
        self.upload(scene="forgotten", fields={"Interaction-Age": "3600"}, status=410, code="scene-forgotten")

    def places(self):
        """A place as JSON is stored as an archive, and every archive with a place is served as JSON."""
        kind, one = "application/vnd.placekeeper.place+json", {"scene": "web", "archive": new_id()}
        accepts = {"Accept": kind}
        place = {
            "format": 1, "idiom": "phone", "bundleVersion": "42", "stateVersion": 2, "systemVersion": "17.4",
            "layout": "compact", "savedAt": {"$date": 817804487.5}, "webAddress": "https://books.example/dune",
            "steps": [{"screen": "root", "title": ""},
                      {"screen": "book", "title": "Dune", "references": [0], "progress": 0.25,
                       "parameters": {"page": 12, "id": {"$integer": "9007199254740993"}, "cover": {"$data": "AP8B"}}}],
            "references": [{"dataSource": "Book", "role": "selected", "identifier": "17", "aliases": ["isbn:1"],
                            "shared": [], "indexPath": [{"$integer": "9007199254740993"}, 0],
                            "before": [{"identifier": "16"}], "after": [{"aliases": ["isbn:2"]}]}],
        }
        faults = schema_faults(place, self.contract.description.resolved["components"]["schemas"]["PlaceDocument"])
        self.contract.faults += [f"the place of the walk: {fault}" for fault in faults]
        sent = {"Content-Type": kind}
        self.upload(**one, body=json.dumps(place).encode(), fields=sent, query=None)
        self.upload(**one, body=json.dumps(place, indent=2, sort_keys=True).encode(), fields=sent, query=None, status=200)
        read = self.call("readArchive", 200, token=self.token, fields=accepts, **one)
        assert read.document == place, read.document
        self.call("readArchive", 304, token=self.token, fields={**accepts, "If-None-Match": read.fields["etag"]}, **one)
        for name, path in (("readLatest", {"scene": "web"}), ("readRestorable", one)):
            assert self.call(name, 200, token=self.token, query=PHONE, fields=accepts, **path).document == place
        for wrong in ({"format": 2}, {"steps": [{"screen": "a"}] * 65}, {"steps": [{}]}, {"sealed": {}}):
            body = json.dumps({**place, **wrong}).encode()
            self.upload(body=body, fields=sent, query=None, status=422, code="invalid-body")
        self.upload(body=b"{", fields=sent, query=None, status=400, code="malformed-json")
        bare = {"scene": "web", "archive": new_id()}
        self.upload(**bare)
        self.call("readArchive", 406, "place-unavailable", token=self.token, fields=accepts, **bare)
        self.call("readRestorable", 406, "nothing-compatible", token=self.token, query=PHONE, fields=accepts, **bare)
        assert self.call("readLatest", 200, token=self.token, query=PHONE, fields=accepts, scene="web").document == place

    def refused_uploads(self):
        for field in ("Interaction-Age", "Capture-Sequence", "Restored-From", "If-Head"):
            self.upload(fields={field: "soon"}, status=400, code="malformed-field")
        self.upload(archive="one", status=400, code="malformed-path")
        self.upload(query={"idiom": "toaster"}, status=400, code="malformed-query")
        self.upload(body=b"bplist00", status=422, code="archive-unreadable")
        self.upload(query=None, status=422, code="idiom-required")
        for version in ("1" * 65, "beta", ""):
            self.upload(query={**PHONE, "bundleVersion": version}, status=422, code="context-invalid")
        self.upload(body=self.service.sample(), query={"idiom": "pad"}, status=422, code="context-contradicted")
        self.upload(fields={"Content-Encoding": "br"}, status=415, code="unsupported-content-coding")
        self.upload(body=b'{"format": 1}', status=415, code="unsupported-media-type")
        self.call("registerDevice", 415, "unsupported-media-type", body=b"{}", fields={"Content-Type": "text/plain"})
        token = self.register()["token"]
        limit = self.call("readLimits", 200, token=token).document["scenes"]
        for number in range(limit):
            self.upload(scene=f"document-{number}", token=token)
        self.upload(scene="another", token=token, status=409, code="too-many-scenes")
        self.call("forgetScene", 204, token=token, scene="document-0")
        self.upload(scene="another", token=token)

    def reading(self):
        archive, body = new_id(), self.service.sample()
        self.upload(archive=archive, body=body, query=None)
        read = self.call("readArchive", 200, token=self.token, scene="main", archive=archive)
        assert read.body == body
        self.not_modified("readArchive", read, scene="main", archive=archive)
        page = self.call("listArchives", 200, token=self.token, scene="main", query={"limit": 1})
        rest = {"limit": 100, "cursor": page.document["next"]}
        self.call("listArchives", 200, token=self.token, scene="main", query=rest)
        self.not_modified("listArchives", page, scene="main", query={"limit": 1})
        for wrong in ({"limit": 0}, {"limit": "many"}, {"cursor": "x"}):
            self.call("listArchives", 400, "malformed-query", token=self.token, scene="main", query=wrong)

    def latest(self):
        archive = new_id()
        self.upload(scene="latest", archive=new_id(), body=self.service.sample(bundle_version="41", state_version="1"), query=None)
        self.upload(scene="latest", archive=archive, body=self.service.sample(bundle_version="42", state_version="2"), query=None)
        one = {"scene": "latest", "archive": archive}
        for name, path in (("readLatest", {"scene": "latest"}), ("readRestorable", one)):
            served = self.call(name, 200, token=self.token, query=PHONE, **path)
            assert served.fields["placekeeper-fidelity"] == "full"
            self.not_modified(name, served, query=PHONE, **path)
            place = self.call(name, 200, token=self.token, query=PHONE, fields={"Accept": "application/json"}, **path)
            assert place.fields["etag"] != served.fields["etag"] and place.document["fidelity"] == "full"
            assert place.document["archive"]["id"] == archive and place.document["steps"][-1]["references"]
            self.call(name, 304, token=self.token, query=PHONE, **path,
                      fields={"Accept": "application/json", "If-None-Match": place.fields["etag"]})
            pad = self.call(name, 200, token=self.token, query={**PHONE, "idiom": "pad"}, **path)
            assert pad.fields["placekeeper-fidelity"] == "place"
            # An older version of the app gets the place, and an older version of the state nothing.
            for older in ({"bundleVersion": "1"}, {}):
                part = self.call(name, 200, token=self.token, query=older, **path)
                assert part.fields["placekeeper-fidelity"] == "place"
            refused = self.call(
                name, 406, "nothing-compatible", token=self.token, query={**PHONE, "stateVersion": 0}, **path)
            assert refused.document["candidates"][0]["reasons"]
            self.faulty_contexts(name, path)
        self.call("readLatest", 200, token=self.token, scene="latest", query={**PHONE, "bundleVersion": "41"})
        self.call("readLatest", 200, token=self.token, scene="latest", query={**PHONE, "device": "self"})
        self.call("readLatest", 404, "nothing-stored", token=self.token, scene="nothing")
        self.call("readRestorable", 404, "archive-not-found", token=self.token, scene="latest", archive=new_id())
        self.call("readRestorable", 410, "archive-deleted", token=self.token, scene="main", archive=self.deleted)
        older = self.call("listArchives", 200, token=self.token, scene="latest").document["items"][1]["id"]
        for name, path in (
            ("readLatest", {"query": {**PHONE, "stateVersion": 1}}),
            ("readRestorable", {"archive": older, "query": PHONE}),
            ("readArchive", {"archive": older}),
        ):
            served = self.call(name, 200, token=self.token, scene="latest", **path)
            held = self.not_modified(name, served, scene="latest", **path)
            assert held.fields["placekeeper-superseded"] == served.fields["placekeeper-superseded"]
        told = self.call("explainLatest", 200, token=self.token, scene="latest", query=PHONE)
        assert told.document["served"] == archive
        self.not_modified("explainLatest", told, scene="latest", query=PHONE)
        self.call("explainLatest", 200, token=self.token, scene="nothing")
        self.faulty_contexts("explainLatest", {"scene": "latest"})

    def faulty_contexts(self, name, path):
        self.call(name, 200, token=self.token, query=PHONE, fields={"Launch-Id": "launch-1"}, **path)
        self.call(name, 400, "malformed-field", token=self.token, fields={"Launch-Id": "a b"}, **path)
        self.call(name, 400, "malformed-query", token=self.token, query={"layout": "round"}, **path)
        self.call(name, 422, "context-invalid", token=self.token, query={"bundleVersion": "1" * 65}, **path)

    def outcomes(self):
        archive = new_id()
        good = self.service.sample(bundle_version="41")
        self.upload(scene="outcomes", body=good, query=None, fields={"Interaction-Age": "60"})
        self.upload(scene="outcomes", archive=archive, body=self.service.sample(), query=None)
        path = {"scene": "outcomes", "archive": archive}
        other = self.register(linkCode=self.link_code())["token"]
        began = {"result": "began", "idiom": "phone", "layout": "compact", "bundleVersion": "42", "stateVersion": 1}
        self.call("reportOutcome", 409, "outcome-not-served", token=other, data=began, **path)
        self.call("readLatest", 200, token=self.token, query=PHONE, scene="outcomes")
        for result in ("began", "restored", "failed", "abandoned", "crashed"):
            report = {"result": result, "idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4",
                      "launch": "launch-1", "path": "root/list", "step": 1, "duration": 0.25}
            self.call("reportOutcome", 204, token=self.token, data=report, **path)
        told = self.call("explainLatest", 200, token=other, query=PHONE, scene="outcomes")
        assert told.document["candidates"][0]["reasons"][0]["path"] == "root/list"
        for wrong in ({"launch": ""}, {"path": ""}, {"step": 64}, {"duration": -1}):
            self.call("reportOutcome", 422, "outcome-invalid", token=self.token, data={**report, **wrong}, **path)
        served = self.call("readLatest", 200, token=other, query=PHONE, scene="outcomes")
        assert "placekeeper-superseded" in served.fields
        missing = {"scene": "outcomes", "archive": new_id()}
        self.call("reportOutcome", 404, "archive-not-found", token=self.token, data=began, **missing)
        deleted = {"scene": "main", "archive": self.deleted}
        self.call("reportOutcome", 410, "archive-deleted", token=self.token, data=began, **deleted)
        self.call("reportOutcome", 422, "context-invalid", token=self.token,
                  data={**began, "bundleVersion": "1" * 65}, **path)

    def cautions(self):
        """An archive whose restore crashed on another device: its maker gets it with a caution, until a restore ends well."""
        archive = new_id()
        self.upload(scene="cautions", archive=archive)
        path = {"scene": "cautions", "archive": archive}
        latest = {"token": self.token, "query": PHONE, "scene": "cautions"}
        other = self.register(linkCode=self.link_code())["token"]
        report = {"idiom": PHONE["idiom"], "bundleVersion": PHONE["bundleVersion"]}
        self.call("readLatest", 200, **{**latest, "token": other})
        self.call("reportOutcome", 204, token=other, data={**report, "result": "crashed"}, **path)
        self.call("readLatest", 406, "nothing-compatible", **{**latest, "token": other})
        own = self.call("readLatest", 200, **latest)
        held = self.call("readLatest", 304, fields={"If-None-Match": own.fields["etag"]}, **latest)
        for answer in (own, held):
            assert answer.fields["placekeeper-caution"] == "crashed-elsewhere", answer.fields
        place = self.call("readLatest", 200, fields={"Accept": "application/json"}, **latest)
        assert place.document["caution"] == "crashed-elsewhere", place.document
        told = self.call("explainLatest", 200, **latest).document
        assert [reason["blocks"] for reason in told["candidates"][0]["reasons"]] == ["automatic"], told
        # A person may choose the archive by its id, without a caution, and a good restore ends it.
        chosen = self.call("readRestorable", 200, token=other, query=PHONE, **path)
        assert "placekeeper-caution" not in chosen.fields
        self.call("reportOutcome", 204, token=other, data={**report, "result": "restored"}, **path)
        # The tag changes with the caution, so the maker learns of the end.
        again = self.call("readLatest", 200, fields={"If-None-Match": own.fields["etag"]}, **latest)
        assert "placekeeper-caution" not in again.fields

    def heads(self):
        old, other, new = new_id(), new_id(), new_id()
        self.upload(scene="heads", archive=old)
        self.upload(scene="heads", archive=other)
        path = {"scene": "heads", "archive": old}
        made = self.call("makeHead", 201, token=self.token, data={"id": new}, **path)
        assert made.fields["head-revision"] == made.fields["placekeeper-revision"]
        self.call("makeHead", 200, token=self.token, data={"id": new}, **path)
        self.call("makeHead", 409, "archive-differs", token=self.token, data={"id": other}, **path)
        self.call("makeHead", 422, "invalid-body", token=self.token, data={"id": "one"}, **path)
        self.call("makeHead", 404, "archive-not-found", token=self.token, data={"id": new_id()},
                  scene="heads", archive=new_id())
        self.call("makeHead", 410, "archive-deleted", token=self.token, data={"id": new_id()},
                  scene="main", archive=self.deleted)

    def screenshots(self):
        archive = new_id()
        path = {"scene": "pictures", "archive": archive}
        self.upload(**path)
        self.call("readScreenshot", 404, "screenshot-not-found", token=self.token, **path)
        for picture in (PNG, JPEG):
            self.call("storeScreenshot", 204, token=self.token, body=picture, **path)
            read = self.call("readScreenshot", 200, token=self.token, **path)
            assert read.body == picture
        self.not_modified("readScreenshot", read, **path)
        self.call("storeScreenshot", 422, "screenshot-unreadable", token=self.token, body=b"GIF89a", **path)
        missing = {"scene": "pictures", "archive": new_id()}
        self.call("storeScreenshot", 404, "archive-not-found", token=self.token, body=PNG, **missing)
        deleted = {"scene": "main", "archive": self.deleted}
        self.call("storeScreenshot", 410, "archive-deleted", token=self.token, body=PNG, **deleted)
        shy = self.service.create_app("com.example.shy")
        body = {"app": shy, "idiom": "phone"}
        shy_token = self.call("registerDevice", 201, data=body).document["token"]
        self.upload(token=shy_token, **path)
        self.call("storeScreenshot", 403, "screenshots-off", token=shy_token, body=PNG, **path)

    def data_sources(self):
        registered = {"token": self.token, "name": "photos"}
        again = self.call("declareDataSource", 200, data={"scope": "registered"}, **registered)
        assert again.document == {"name": "photos", "scope": "registered", "selectsNeighbors": False, "uniqueAliases": [], "allowsRedirects": False}
        for other in ({"scope": "shared"}, {"scope": "registered", "selectsNeighbors": True}, {"scope": "registered", "uniqueAliases": ["isbn"]}):
            differs = self.call("declareDataSource", 409, "data-source-differs", data=other, **registered)
            assert differs.document["details"] == {"scope": "registered", "selectsNeighbors": "false", "uniqueAliases": "", "allowsRedirects": "false"}
        self.call("declareDataSource", 422, "invalid-body", data={"scope": "global"}, **registered)
        for kinds in (True, ["isbn:"], [""], [f"kind {number}" for number in range(17)]):
            refused = self.call("declareDataSource", 422, "invalid-body", data={"scope": "registered", "uniqueAliases": kinds}, **registered)
            assert refused.document["pointer"] == "/uniqueAliases"
        listed = self.call("listDataSources", 200, token=self.token)
        assert [item["name"] for item in listed.document["items"]] == ["photos"]
        self.not_modified("listDataSources", listed)
        self.call("declareDataSource", 201, token=self.token, name="books", data={"scope": "shared"})
        shared = self.call("readDataSource", 200, token=self.token, name="books").document
        assert "registration" not in shared
        self.call("readDataSource", 404, "data-source-unknown", token=self.token, name="none")
        # As many as an app may have, of an app of its own.
        key = self.service.create_app("com.example.lists")
        token = self.call("registerDevice", 201, data={"app": key, "idiom": "phone"}).document["token"]
        for number in range(self.call("readLimits", 200).document["dataSources"]):
            self.call("declareDataSource", 201, token=token, name=f"list-{number}", data={"scope": "keyed"})
        self.call("declareDataSource", 409, "too-many-data-sources", token=token, name="another",
                  data={"scope": "keyed"})

    def items(self):
        # A device of its own: nothing is registered of it.
        mine = {"token": self.register(linkCode=self.link_code())["token"], "name": "photos"}
        fresh = self.call("readDataSource", 200, **mine)
        assert fresh.document["registration"] == {"cursor": 0, "digest": "0" * 32, "count": 0}
        self.not_modified("readDataSource", fresh, **mine)
        delta = {"upserts": [{"identifier": f"p{number}", "aliases": [f"server:{number}"], "position": number}
                             for number in range(3)], "after": 0}
        first = self.call("changeItems", 200, data=delta, **mine)
        assert (first.document["cursor"], first.document["count"]) == (1, 3)
        assert self.call("changeItems", 200, data=delta, **mine).document == first.document
        known = self.call("readDataSource", 200, **mine)
        assert known.document["registration"] == first.document
        assert known.fields["etag"] != fresh.fields["etag"]
        for name in ("none", "books"):
            code = "data-source-unknown" if name == "none" else "items-not-registered"
            for operation in ("changeItems", "listItems"):
                data = {"data": {"upserts": []}} if operation == "changeItems" else {}
                self.call(operation, 404 if name == "none" else 409, code, token=self.token, name=name, **data)
        stale = self.call("changeItems", 409, "cursor-stale", data={"removals": ["p0"], "after": 0}, **mine)
        assert stale.document["details"] == {"cursor": "1", "digest": first.document["digest"]}
        limits = self.call("readLimits", 200).document
        item = {"identifier": "p1"}
        long = "x" * (limits["identifierBytes"] + 1)
        for wrong, code, pointer in (
            ({"upserts": [item, {"identifier": ""}]}, "identifier-invalid", "/upserts/1/identifier"),
            ({"removals": [long]}, "identifier-invalid", "/removals/0"),
            ({"redirects": [{"from": "p0", "to": "p\u007f"}]}, "identifier-invalid", "/redirects/0/to"),
            ({"upserts": [{**item, "aliases": ["a", long]}]}, "alias-invalid", "/upserts/0/aliases/1"),
            ({"upserts": [{**item, "aliases": ["a"] * (limits["aliases"] + 1)}]}, "too-many-aliases",
             "/upserts/0/aliases"),
            ({"removals": [f"p{number}" for number in range(limits["deltaItems"] + 1)]}, "delta-too-large", None),
            ({"upserts": [{"identifier": f"p{number}", "aliases": ["a"] * limits["aliases"]}
                          for number in range(limits["deltaAliases"] // limits["aliases"] + 1)]},
             "delta-too-large", f"/upserts/{limits['deltaAliases'] // limits['aliases']}/aliases"),
            ({"upserts": [item], "removals": ["p1"]}, "item-contradicted", "/removals/0"),
            ({"redirects": [{"from": "p1", "to": "p1"}]}, "redirect-loops", "/redirects/0"),
            ({"redirects": [{"from": "p1", "to": "p9"}]}, "redirect-target-unknown", "/redirects/0/to"),
            ({"upserts": [{**item, "position": "first"}]}, "invalid-body", "/upserts/0/position"),
            ({"upserts": [{**item, "position": 1.5}]}, "invalid-body", "/upserts/0/position"),
            ({"upsert": [item]}, "invalid-body", ""),
        ):
            refused = self.call("changeItems", 422, code, data=wrong, **mine)
            assert refused.document.get("pointer") == pointer, refused.document
        assert self.call("changeItems", 200, data={"upserts": []}, **mine).document == first.document
        page = self.call("listItems", 200, query={"limit": 2}, **mine)
        rest = self.call("listItems", 200, query={"limit": 2, "cursor": page.document["next"]}, **mine)
        found = page.document["items"] + rest.document["items"]
        assert sorted(found, key=lambda item: item["position"]) == delta["upserts"] and "next" not in rest.document
        self.not_modified("listItems", page, query={"limit": 2}, **mine)
        for wrong in ({"limit": 0}, {"limit": 1001}, {"cursor": "x"}):
            self.call("listItems", 400, "malformed-query", query=wrong, **mine)

    def loads(self):
        """Items as lines."""
        mine = {"token": self.register(linkCode=self.link_code())["token"], "name": "photos",
                "fields": {"Content-Type": "application/x-ndjson"}}
        limit = self.call("readLimits", 200).document["deltaItems"]
        lines = [json.dumps({"identifier": f"p{number}", "position": number}) for number in range(limit + 1)]
        state = self.call("changeItems", 200, body="\n".join(lines).encode(), **mine).document
        assert (state["cursor"], state["count"]) == (2, limit + 1)
        again = self.call("changeItems", 200, body="\r\n\r\n".join(lines).encode(), **mine).document
        assert again == state
        for line, status, code, pointer in (
            ("{", 400, "malformed-json", None), ("{}", 422, "invalid-body", "/identifier"),
            ('{"identifier": "q", "position": 1.5}', 422, "invalid-body", "/position"),
            ('{"identifier": "q", "aliases": [""]}', 422, "alias-invalid", "/aliases/0"),
        ):
            body = "\n".join(['{"identifier": "new"}', "", line]).encode()
            problem = self.call("changeItems", status, code, body=body, **mine).document
            assert problem["details"] == {"line": "3", "firstLine": "1"}, problem
            assert problem.get("pointer") == pointer, problem
        assert self.call("changeItems", 200, body=b"", **mine).document == state

    def resolving(self):
        """What one device calls the items of another, alone and in an archive."""
        mine = {"token": self.token, "name": "pictures"}
        other = self.register(linkCode=self.link_code(), idiom="pad")
        theirs = {"token": other["token"], "name": "pictures"}
        self.call("declareDataSource", 201, data={"scope": "registered"}, **mine)
        self.call("changeItems", 200, data={"upserts": [{"identifier": "a1", "aliases": ["one"]}, {"identifier": "a2"}]},
                  **mine)
        self.call("changeItems", 200, data={"upserts": [{"identifier": "b1", "aliases": ["one"]}]}, **theirs)
        question = {"device": self.device, "identifiers": ["a1", "a2", "a3"]}
        answer = self.call("resolveIdentifiers", 200, data=question, **theirs)
        found = [(result["identifier"], result["step"]) for result in answer.document["results"]]
        assert found == [("b1", "alias"), (None, "pending"), (None, "unresolved")], found
        stranger = {"token": self.register()["token"], "name": "pictures"}
        for device in (self.device, new_id(), "one"):
            self.call("resolveIdentifiers", 404, "device-not-found", data={**question, "device": device}, **stranger)
        for identifiers, code in ((["a1", ""], "identifier-invalid"), (["a"] * 10001, "delta-too-large"),
                                  ("a1", "invalid-body")):
            self.call("resolveIdentifiers", 422, code, data={**question, "identifiers": identifiers}, **theirs)
        self.call("resolveIdentifiers", 404, "data-source-unknown", data=question, **{**theirs, "name": "none"})
        # The sample refers to a photo by an alias, among others to a list that nobody declared.
        self.upload(scene="identity", body=self.service.sample(), query=None)
        alias = {"identifier": "b128", "aliases": ["sha256:4fb3a1"]}
        self.call("changeItems", 200, data={"upserts": [alias]}, token=other["token"], name="photos")
        served = self.call("readLatest", 200, token=other["token"], query=PHONE, scene="identity")
        assert served.fields["placekeeper-references"] == "alias=1", served.fields
        assert b"b128" in served.body
        told = self.call("explainLatest", 200, token=other["token"], query=PHONE, scene="identity").document
        assert [(one["dataSource"], one["step"]) for one in told["references"]] == [
            ("albums", "exact"), ("photos", "alias")], told["references"]
        assert [member["item"]["identifier"] for member in told["references"][1]["members"]] == ["b128"]
        self.call("changeItems", 200, data={"removals": ["b128"]}, token=other["token"], name="photos")
        told = self.call("explainLatest", 200, token=other["token"], query=PHONE, scene="identity").document
        assert [one["item"]["identifier"] for one in told["references"][1]["gone"]] == ["b128"], told

    def following(self):
        for name, query in (("listPlaces", PHONE), ("readManifest", None), ("listChanges", {"limit": 1})):
            answer = self.call(name, 200, token=self.token, query=query)
            self.not_modified(name, answer, query=query)
        for name, query in (("listPlaces", PHONE), ("readManifest", {})):
            page = self.call(name, 200, token=self.token, query={**query, "limit": 1})
            assert page.fields["link"].endswith('rel="next"')
            rest = {**query, "limit": 100, "cursor": page.document["next"]}
            assert "next" not in self.call(name, 200, token=self.token, query=rest).document
            self.call(name, 400, "malformed-query", token=self.token, query={"limit": 0})
        self.call("listPlaces", 400, "malformed-query", token=self.token, query={"cursor": "x"})
        self.call("listPlaces", 400, "malformed-query", token=self.token, query={"idiom": "toaster"})
        self.call("listPlaces", 422, "context-invalid", token=self.token, query={"systemVersion": "1" * 65})
        self.call("listChanges", 400, "malformed-query", token=self.token, query={"after": "now"})
        self.call("listChanges", 410, "changes-pruned", token=self.token, query={"after": 2**40})
        known = int(self.call("listChanges", 200, token=self.token, query={"limit": 1}).document["next"])
        page = self.call("listChanges", 200, token=self.token, query={"after": known}).document
        self.events(known, page["items"])
        self.call("streamEvents", 400, "malformed-field", token=self.token, fields={"Last-Event-ID": "x"})
        self.call("exportUser", 200, token=self.token)

    def events(self, known, changes):
        """The stream tells what the list does, from the same place on."""
        fields = {"Authorization": f"Bearer {self.token}", "Last-Event-ID": str(known)}
        operation = self.contract.description.operations["streamEvents"]
        schema = self.contract.description.resolved["components"]["schemas"]["Change"]
        with self.service.stream("/v1/events", fields) as (status, answered, body):
            self.contract.judge(operation, (status, answered, b""), 200)
            for change in changes:
                event = read_event(body)
                self.contract.faults += [f"event: {fault}" for fault in schema_faults(event["data"], schema)]
                assert (event["id"], event["event"], event["data"]) == (
                    str(change["revision"]), change["kind"], change), event
        with ExitStack() as stack:
            statuses = [200]
            while statuses[-1] == 200:
                status, answered, body = stack.enter_context(self.service.stream("/v1/events", fields))
                statuses.append(status)
                if status != 200:
                    self.contract.judge(operation, (status, answered, body.read()), 429, "too-many-followers")

    def app_events(self, app, token):
        """The stream begins with the newest changes, and an app has a limited number of streams."""
        fields = {"Authorization": f"Bearer {token}"}
        target = f"/admin/api/apps/{app}/events?recent=3"
        operation = self.contract.description.operations["streamAppEvents"]
        schema = self.contract.description.resolved["components"]["schemas"]["AppChange"]
        with self.service.stream(target, fields) as (status, answered, body):
            self.contract.judge(operation, (status, answered, b""), 200)
            events = [read_event(body) for _ in range(3)]
            for event in events:
                self.contract.faults += [f"event: {fault}" for fault in schema_faults(event["data"], schema)]
            assert [event["event"] for event in events] == ["change"] * 3, events
            assert int(events[0]["id"]) < int(events[1]["id"]) < int(events[2]["id"]), events
        with ExitStack() as stack:
            statuses = [200]
            while statuses[-1] == 200:
                status, answered, body = stack.enter_context(self.service.stream(target, fields))
                statuses.append(status)
                if status != 200:
                    self.contract.judge(operation, (status, answered, body.read()), 429, "too-many-followers")

    def operations(self):
        for name in ("readLimits", "readVersion", "readDescription"):
            self.not_modified(name, self.call(name, 200))
        self.call("readLiveness", 200)
        self.call("readReadiness", 200)
        self.call("readMetrics", 200)

    def not_modified(self, operation, answer, /, **more):
        if self.contract.description.operations[operation].needs_token:
            more.setdefault("token", self.token_of(self.contract.description.operations[operation]))
        return self.call(operation, 304, fields={"If-None-Match": answer.fields["etag"]}, **more)

    def without_token(self):
        path = {"scene": "main", "archive": new_id(), "device": new_id(), "name": "photos"}
        bodies = set()
        for operation in self.contract.description.operations.values():
            if operation.needs_token and not operation.is_administrative:
                used = {name: value for name, value in path.items() if "{" + name + "}" in operation.path}
                for token in (None, "pkd_" + "x" * 43, "x"):
                    answer = self.call(operation.id, 401, "unauthorized", token=token, **used)
                    bodies.add(answer.body)
        assert len(bodies) == 1, "401 has more than one body"

    def malformed_names(self):
        archive = new_id()
        data = {"makeHead": {"id": new_id()}, "reportOutcome": {"result": "began", "idiom": "phone"},
                "declareDataSource": {"scope": "shared"}, "changeItems": {"upserts": []},
                "resolveIdentifiers": {"device": self.device, "identifiers": []}}
        bodies = {"storeScreenshot": PNG, "storeArchive": self.service.sample()}
        for operation in self.contract.description.operations.values():
            if operation.is_administrative:
                continue
            for part, code in (("scene", "scene-name-invalid"), ("name", "data-source-name-invalid")):
                if "{" + part + "}" not in operation.path:
                    continue
                path = {"archive": archive} if "{archive}" in operation.path else {}
                for name, code in (("a%20b", code), ("x" * 65, code), ("%FF", "malformed-path")):
                    self.call(operation.id, 400, code, token=self.token, data=data.get(operation.id),
                              body=bodies.get(operation.id), **{part: name}, **path)

    def malformed_bodies(self):
        archive = new_id()
        self.upload(scene="bodies", archive=archive)
        path = {"scene": "bodies", "archive": archive, "name": "photos", "administrator": new_id(), **self.admin_path}
        for operation in self.contract.description.operations.values():
            if "requestBody" not in operation.node:
                continue
            used = {name: value for name, value in path.items() if "{" + name + "}" in operation.path}
            token = self.token_of(operation)
            one = {"token": token, **used}
            large = {"storeArchive": "archive-too-large", "storeScreenshot": "screenshot-too-large"}
            self.contract.raw_call(
                operation.id, 413, large.get(operation.id, "content-too-large"), ["Content-Length: 9000000"], **one)
            self.call(operation.id, 415, "unsupported-content-coding", body=b"x",
                      fields={"Content-Encoding": "br"}, **one)
            self.call(operation.id, 400, "malformed-content-coding", body=b"x",
                      fields={"Content-Encoding": "gzip"}, **one)
            if "application/json" in operation.node["requestBody"]["content"]:
                self.call(operation.id, 400, "malformed-json", body=b"{", **one)
                if "required" in operation.node["requestBody"]["content"]["application/json"]["schema"]:
                    self.call(operation.id, 422, "invalid-body", data={}, **one)
                self.refused_nulls(operation, one)

    def refused_nulls(self, operation, one):
        """No member of a request may be null, unless its schema says so."""
        schema = operation.node["requestBody"]["content"]["application/json"]["schema"]
        example = next(iter(operation.node["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
        for name, member in schema["properties"].items():
            if not schema_faults(None, member):
                if operation.id == "describeOwnDevice":
                    continue
                self.contract.faults.append(f"{operation.id}: {name} may be null, which no request is read to be")
                continue
            refused = self.call(operation.id, 422, "invalid-body", data={**example, name: None}, **one)
            assert refused.document["pointer"] == "/" + name, refused.document

    def queries(self):
        """An empty query parameter is refused where its schema does not allow it, and nowhere else."""
        archive = new_id()
        self.upload(scene="queries", archive=archive)
        path = {"scene": "queries", "archive": archive, "name": "photos", **self.admin_path}
        for operation in self.contract.description.operations.values():
            used = {name: value for name, value in path.items() if "{" + name + "}" in operation.path}
            token = self.token_of(operation)
            for parameter in operation.parameters:
                if parameter["in"] != "query":
                    continue
                body = self.service.sample() if operation.method == "PUT" else None
                query = {**PHONE, "by": "user", parameter["name"]: ""}
                status, _, _ = self.contract.send(operation.id, token=token, query=query, body=body, **used)
                if (status in (400, 422)) != bool(schema_faults("", parameter["schema"])):
                    self.contract.faults.append(f"{operation.id}: {status} to an empty {parameter['name']}")

    def methods(self):
        """Each path answers to the methods that are described for it, and to no others."""
        known = list(self.contract.description.operations.values())
        for path in dict.fromkeys(operation.path for operation in known):
            target = path.format(scene="main", archive=new_id(), device=new_id(), name="photos",
                                 administrator=new_id(), token=new_id(), **self.admin_path)
            here = [operation for operation in known if operation.path == path]
            allowed = {operation.method for operation in here} | {"OPTIONS"}
            allowed |= {"HEAD"} if "GET" in allowed else set()
            status, fields, _ = self.service.exchange("OPTIONS", target)
            if (status, set(fields["allow"].split(", "))) != (204, allowed):
                self.contract.faults.append(f"OPTIONS {path}: {status} {fields['allow']}")
            for method in {"GET", "PUT", "POST", "DELETE", "PATCH", "TRACE"} - allowed:
                answer = self.service.exchange(method, target)
                judged = self.contract.judge(here[0], answer, 405, "method-not-allowed")
                assert set(judged.fields["allow"].split(", ")) == allowed

    def messages(self):
        """What is wrong with a message as HTTP, by any operation: here by one."""
        operation = self.contract.description.operations["readLimits"]
        start = b"GET /v1/limits HTTP/1.1\r\nHost: localhost\r\n"
        for data, status, code in (
            (b"GET /v1/limits HTTP/1.1\r\n\r\n", 400, "malformed-request"),
            (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n", 414, "target-too-long"),
            (start + b"Expect: cake\r\n\r\n", 417, "expectation-failed"),
            (start + b"X: " + b"x" * 40000 + b"\r\n\r\n", 431, "fields-too-large"),
            (b"BREW /v1/limits HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, "not-implemented"),
            (b"GET /v1/limits HTTP/2.0\r\nHost: localhost\r\n\r\n", 505, "version-not-supported"),
        ):
            self.contract.judge(operation, self.service.raw(data), status, code)
        answer = self.service.exchange("GET", "/v1/nothing")
        self.contract.judge(self.contract.description.operations["readScreenshot"], answer, 404, "not-found")

    def timeout(self):
        """A head that does not come whole in time."""
        operation = self.contract.description.operations["readLimits"]
        self.contract.judge(operation, self.service.raw(b"GET /v1/limits HTTP/1.1\r\n"), 408, "request-timeout")

    def store_faults(self):
        with self.service.locked():
            self.upload(scene="faults", status=503, code="store-unavailable")
            self.call("readReadiness", 503, "store-unavailable")
            self.call("readManifest", 200, token=self.token)
        with self.service.full():
            self.upload(scene="faults", body=bare_archive("x" * 9000), status=507, code="store-full")
            self.call("readReadiness", 507, "store-full")
            self.call("readManifest", 200, token=self.token)
        self.upload(scene="faults")
        self.call("readReadiness", 200)

    def throttles(self):
        token = self.register()["token"]
        wrong = {"app": self.key, "idiom": "phone", "linkCode": "00000000"}
        for name, attempts, request in (
            ("createLinkCode", 1000, {"token": token}),
            ("linkOwnDevice", 100, {"token": token, "data": {"code": "00000000"}}),
            ("registerDevice", 100, {"data": wrong}),
        ):
            answers = (self.contract.send(name, **request) for _ in range(attempts))
            throttled = next(answer for answer in answers if answer[0] == 429)
            self.contract.judge(self.contract.description.operations[name], throttled, 429, "throttled")

    def limits(self):
        """The limits of clients on other machines: of the requests of a device, and of registrations."""
        client = {"X-Forwarded-For": "203.0.113.7"}
        key = self.service.create_app("com.example.limited", deviceBurst="1", devicePerSecond="1")
        for operation in self.contract.description.operations.values():
            if operation.needs_token and not operation.is_administrative or operation.id == "readLimits":
                # Some operations end the device, so each operation has a device of its own, whose only request is used up.
                fields = {**client, "Authorization": f"Bearer {self.register(app=key)['token']}"}
                while self.service.exchange("GET", "/v1/devices/self", fields)[0] != 429:
                    pass
                answers = (self.limited(operation, fields) for _ in range(100))
                throttled = next(answer for answer in answers if answer[0] == 429)
                self.contract.judge(operation, throttled, 429, "throttled")
        body = {"app": self.key, "idiom": "phone"}
        answers = (self.contract.send("registerDevice", data=body, fields=client) for _ in range(1000))
        throttled = next(answer for answer in answers if answer[0] == 429)
        self.contract.judge(self.contract.description.operations["registerDevice"], throttled, 429, "throttled")

    def quotas(self):
        """The limits of stored data, and what `/v1/limits` tells a device about them."""
        key = self.service.create_app("com.example.small", allowsScreenshots="true", anonymousBytes="4KiB")
        token = self.register(app=key)["token"]
        archive, large = new_id(), bare_archive("x" * 5000)
        self.upload(token=token, archive=archive)
        self.call("storeArchive", 409, "quota-exceeded", token=token, scene="main", archive=new_id(), body=large,
                  query=PHONE)
        self.call("storeScreenshot", 409, "quota-exceeded", token=token, scene="main", archive=archive,
                  body=PNG + bytes(5000))
        told = self.call("readLimits", 200, token=token).document
        assert told["quotas"]["anonymousBytes"] == 4096 and told["usage"]["archives"] == 1, told
        self.call("readLimits", 401, "unauthorized", token="pkd_" + "x" * 43)

    def restoration(self):
        """The operator's setting for restoring, with the answers that have an archive."""
        key = self.service.create_app("com.example.offered", restoration="offer")
        token, archive = self.register(app=key)["token"], new_id()
        self.upload(token=token, archive=archive)
        for operation, path in (("readLatest", {}), ("readRestorable", {"archive": archive})):
            answer = self.call(operation, 200, token=token, scene="main", query=PHONE, **path)
            assert answer.fields["placekeeper-restoration"] == "offer", answer.fields

    def limited(self, operation, fields):
        """The answer to an operation with any path. Of a stream that begins, only the head is read."""
        target = re.sub(r"{\w+}", "x", operation.path)
        if operation.id != "streamEvents":
            return self.service.exchange(operation.method, target, fields)
        with self.service.stream(target, fields) as (status, got, body):
            return status, got, body.read() if status == 429 else b""

    def draining(self):
        """Asked on a connection that was in use before the service was told to stop."""
        operation = self.contract.description.operations["readReadiness"]
        with self.service.connect() as connection:
            # With the answer to the first it is known that the beginning of the second has come.
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET /readyz HTTP/1.1\r\n")
            assert read_answer(connection)[0] == 200
            self.service.terminate()
            self.service.wait_until_refused()
            connection.sendall(b"Host: localhost\r\n\r\n")
            self.contract.judge(operation, read_answer(connection), 503, "draining")


def read_event(body):
    """The next event of a stream that has data."""
    event = {}
    while True:
        line = body.readline().decode().rstrip("\n")
        if not line and "data" in event:
            return {**event, "data": json.loads(event["data"])}
        name, _, value = line.partition(": ")
        if name:
            event[name] = value
