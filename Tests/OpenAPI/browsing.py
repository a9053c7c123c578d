"""The walk through the part of the admin API about apps and the data of their users."""

import uuid

from service import unshowable_archive

NONE = {"app": "none"}
# The operations that an operator may use, and a viewer may not.
OPERATORS = {"deleteUsersArchive", "downloadArchive", "viewScreenshot", "makeUsersHead", "listDecisions", "decideItems",
             "removeItemDecision", "undeleteArchive", "trySettings", "replaceStoppedRestores", "exportUsersData",
             "revokeUsersDevice"}


def new_id():
    return str(uuid.uuid4())


class Browsing:
    def __init__(self, walk, png, jpeg):
        self.walk = walk
        self.png, self.jpeg = png, jpeg
        self.token = walk.api_token
        key = walk.service.create_app("com.example.browsing", allowsScreenshots="true")
        self.app = {"app": self.app_id("com.example.browsing")}
        secret, walk.secret = walk.secret, walk.service.add_secret("com.example.browsing")
        sign_in = {"app": key, "signInToken": walk.sign_in_token("browsed")}
        walk.secret = secret
        self.phone = walk.register(**sign_in)
        self.pad = walk.register(idiom="pad", **sign_in)
        self.user = {**self.app, "user": self.phone["user"]}
        self.scene = {**self.user, "scene": "browsed"}
        self.list = {**self.user, "name": "browsed"}
        self.shared = {**self.user, "name": "browsed-shared"}

    def call(self, operation, status, code=None, **request):
        return self.walk.call(operation, status, code, token=self.token, **request)

    def app_id(self, identifier):
        apps = self.call("listApps", 200).document["items"]
        return next(app["id"] for app in apps if app["bundleIdentifier"] == identifier)

    def tagged(self, operation, **request):
        """Reads a resource, and reads it again with its tag."""
        answer = self.call(operation, 200, **request)
        self.call(operation, 304, fields={"If-None-Match": answer.fields["etag"]}, **request)
        return answer.document

    def everything(self):
        self.apps()
        self.settings()
        self.prepare()
        self.users()
        self.archives()
        self.events()
        self.items()
        self.call("readAbout", 200)
        self.endings()
        for operation in self.walk.contract.description.operations.values():
            if operation.is_administrative and "{app}" in operation.path:
                names = {name: new_id() for name in ("user", "scene", "archive", "name", "identifier", "device")
                         if "{" + name + "}" in operation.path}
                self.call(operation.id, 404, "app-not-found", **NONE, **names)

    def apps(self):
        new = {"bundleIdentifier": "com.example.browsed"}
        self.call("createApp", 201, data=new)
        self.call("createApp", 409, "app-exists", data=new)
        self.call("createApp", 422, "bundle-identifier-invalid", data={"bundleIdentifier": "x"})

    def settings(self):
        read = self.call("readApp", 200, **self.app)
        change = {**self.app, "data": {"showsContents": True}}
        self.call("changeAppSettings", 428, "precondition-required", **change)
        matching = {"fields": {"If-Match": read.fields["etag"]}}
        changed = self.call("changeAppSettings", 200, **change, **matching)
        assert changed.document["settings"]["showsContents"]
        stale = self.call("changeAppSettings", 412, "settings-changed", **change, **matching)
        assert stale.fields["etag"] == changed.fields["etag"]
        matching = {"fields": {"If-Match": changed.fields["etag"]}}
        self.call("changeAppSettings", 422, "settings-invalid", data={"retainedArchives": 0}, **self.app, **matching)
        self.call("changeAppSettings", 422, "invalid-body", data={"unknown": 0}, **self.app, **matching)
        stop = {**self.app, "data": {"stoppedRestores": [{"idiom": "vision", "sourceVersion": "1"}]}}
        self.call("replaceStoppedRestores", 428, "precondition-required", **stop)
        stopped = self.call("replaceStoppedRestores", 200, **stop, **matching)
        assert stopped.document["settings"]["stoppedRestores"][0]["sourceVersion"] == "1"
        self.call("replaceStoppedRestores", 412, "settings-changed", **stop, **matching)
        matching = {"fields": {"If-Match": stopped.fields["etag"]}}
        self.call("replaceStoppedRestores", 422, "invalid-body", data={}, **self.app, **matching)
        self.call("replaceStoppedRestores", 200, data={"stoppedRestores": []}, **self.app, **matching)

    def prepare(self):
        walk, phone, pad = self.walk, self.phone["token"], self.pad["token"]
        self.first, self.second = new_id(), new_id()
        for archive in (self.first, self.second):
            walk.upload(scene="browsed", archive=archive, token=phone, body=walk.service.sample(), query=None)
        walk.call("storeScreenshot", 204, token=phone, scene="browsed", archive=self.first, body=self.png)
        walk.call("storeScreenshot", 204, token=phone, scene="browsed", archive=self.second, body=self.jpeg)
        walk.call("reportOutcome", 204, token=phone, scene="browsed", archive=self.first,
                  data={"result": "failed", "idiom": "phone", "bundleVersion": "42", "path": "root", "duration": 0.5})
        walk.call("declareDataSource", 201, token=phone, name="browsed", data={"scope": "registered"})
        walk.call("declareDataSource", 201, token=phone, name="browsed-shared", data={"scope": "shared"})
        for token, item in ((phone, "p1"), (pad, "q1")):
            walk.call("changeItems", 200, token=token, name="browsed",
                      data={"upserts": [{"identifier": item, "aliases": ["a"], "position": 1}]})

    def users(self):
        for hours in (24, 168, 720):
            self.tagged("readOverview", query={"hours": hours}, **self.app)
            self.tagged("readHealth", query={"hours": hours}, **self.app)
        for name in ("readOverview", "readHealth", "listFailures", "listFailureGroups"):
            self.call(name, 400, "malformed-query", query={"hours": 1, "by": "user"}, **self.app)
        self.tagged("listFailures", query={"result": "failed", "path": "root"}, **self.app)
        for key in ("user", "path"):
            self.tagged("listFailureGroups", query={"by": key}, **self.app)
        self.call("listFailureGroups", 400, "malformed-query", **self.app)
        selected = {"kind": "changes", "actor": "command root", "day": "2026-11-30"}
        self.tagged("listAuditEntries", query=selected, **self.app)
        self.call("listAuditEntries", 400, "malformed-query", query={"kind": "all"}, **self.app)
        tried = {"policy": {"minimumBundleVersion": "50"}, "stoppedRestores": [{"idiom": "phone"}]}
        self.call("trySettings", 200, data=tried, **self.app)
        self.call("trySettings", 422, "settings-invalid", data={"policy": {"maximumAge": "40000d"}}, **self.app)
        self.call("trySettings", 422, "invalid-body", data={"restoration": "off"}, **self.app)
        listed = []
        cursor = {}
        while cursor is not None:
            page = self.call("listUsers", 200, query={"limit": 2, "sort": "id", **cursor}, **self.app).document
            listed += [user["id"] for user in page["items"]]
            cursor = {"cursor": page["next"]} if "next" in page else None
        assert self.user["user"] in listed and listed == sorted(set(listed))
        for name in ("listUsers", "listAuditEntries"):
            self.call(name, 400, "malformed-query", query={"limit": 0}, **self.app)
            self.tagged(name, **self.app)
        selected = {"failed": "false", "signedIn": "true", "overQuota": "false", "idiom": "pad", "version": "42"}
        for sort in ("seen", "bytes", "id"):
            self.tagged("listUsers", query={"sort": sort, **selected}, **self.app)
        for query in ({"sort": "name"}, {"failed": "1"}, {"idiom": "none"}):
            self.call("listUsers", 400, "malformed-query", query=query, **self.app)
        found = self.tagged("findInApp", query={"text": "p1"}, **self.app)["items"]
        assert [(item["kind"], item["dataSource"], item["identifier"]) for item in found] == [("item", "browsed", "p1")]
        for text, kind in (("browsed", "user"), (self.user["user"], "user"), (self.pad["device"], "device"),
                           (self.first, "archive")):
            found = self.tagged("findInApp", query={"text": text}, **self.app)["items"]
            assert [(item["kind"], item["user"]) for item in found] == [(kind, self.user["user"])], found
        assert not self.tagged("findInApp", query={"text": new_id()}, **self.app)["items"]
        self.call("findInApp", 400, "malformed-query", **self.app)
        user = self.tagged("readUser", **self.user)
        assert user["subject"] == "browsed" and user["scenes"][0]["head"]["id"] == self.second
        self.call("readUser", 404, "user-not-found", user=new_id(), **self.app)
        self.call("readUser", 400, "malformed-query", query={"limit": 0}, **self.user)

    def archives(self):
        one = {**self.scene, "archive": self.first}
        entries = self.tagged("listTimeline", **self.scene)["items"]
        assert [entry["id"] for entry in entries] == [self.second, self.first]
        assert entries[1]["quarantines"] and entries[0]["isHead"]
        self.call("listTimeline", 400, "malformed-query", query={"limit": 0}, **self.scene)
        self.call("listTimeline", 400, "scene-name-invalid", **{**self.scene, "scene": "a%20b"})
        assert not self.tagged("inspectArchive", **one)["isRedacted"]
        self.tagged("compareArchives", query={"with": self.second}, **one)
        self.call("compareArchives", 400, "malformed-query", **one)
        unshowable = {**self.scene, "scene": "unshowable", "archive": new_id()}
        self.walk.upload(
            scene="unshowable", archive=unshowable["archive"], body=unshowable_archive(), token=self.phone["token"], query={})
        self.call("inspectArchive", 422, "archive-not-inspectable", **unshowable)
        self.call(
            "compareArchives", 422, "archive-not-inspectable", query={"with": unshowable["archive"]}, **unshowable)
        self.walk.call("forgetScene", 204, token=self.phone["token"], scene="unshowable")
        self.call("downloadArchive", 200, **one)
        self.call("viewScreenshot", 200, **one)
        self.call("viewScreenshot", 200, **self.scene, archive=self.second)
        copy = self.call("makeUsersHead", 201, **one).document["id"]
        copied = {**self.scene, "archive": copy}
        self.call("viewScreenshot", 404, "screenshot-not-found", **copied)
        self.call("deleteUsersArchive", 200, **copied)
        self.deletions(copied)
        for name in ("inspectArchive", "downloadArchive", "viewScreenshot", "compareArchives", "makeUsersHead",
                     "deleteUsersArchive", "undeleteArchive"):
            if name == "undeleteArchive":
                self.call(name, 404, "archive-not-found", **{**one, "archive": new_id()})
                self.call(name, 400, "malformed-path", **{**one, "scene": "%FF"})
                continue
            query = {"with": self.first} if name == "compareArchives" else None
            self.call(name, 410, "archive-deleted", query=query, **copied)
            self.call(name, 404, "archive-not-found", query=query, **{**one, "archive": new_id()})
            self.call(name, 400, "malformed-path", query=query, **{**one, "scene": "%FF"})
        explain = {"device": self.phone["device"]}
        assert self.tagged("explainScene", query=explain, **self.scene)["served"] == self.second
        self.tagged("explainScene", query={"idiom": "pad", "bundleVersion": "41"}, **self.scene)
        self.call("explainScene", 400, "malformed-query", **self.scene)
        self.call("explainScene", 404, "device-not-found", query={"device": new_id()}, **self.scene)
        self.call("explainScene", 422, "context-invalid", query={"idiom": "pad", "bundleVersion": "x"}, **self.scene)
        assert self.tagged("listAnswers", query={"scene": "main", "limit": 1}, **self.user)["items"] is not None
        self.call("listAnswers", 400, "malformed-query", query={"device": "x"}, **self.user)
        self.call("listAnswers", 400, "scene-name-invalid", query={"scene": "a b"}, **self.user)
        self.call("listAnswers", 404, "user-not-found", **{**self.user, "user": new_id()})
        self.hidden()

    def deletions(self, copied):
        """A deletion, its undo, and the deletion again."""
        deleted = self.tagged("listDeletedArchives", **self.scene)["items"]
        assert [entry["archive"] for entry in deleted] == [copied["archive"]], deleted
        self.call("listDeletedArchives", 400, "scene-name-invalid", **{**self.scene, "scene": "a%20b"})
        self.call("listDeletedArchives", 404, "user-not-found", **{**self.scene, "user": new_id()})
        assert self.call("undeleteArchive", 200, **copied).document["isHead"]
        self.call("undeleteArchive", 404, "archive-not-found", **copied)
        self.call("deleteUsersArchive", 200, **copied)
        lost = {**self.scene, "scene": "lost", "archive": new_id()}
        self.walk.upload(scene="lost", archive=lost["archive"], token=self.phone["token"])
        self.call("deleteUsersArchive", 200, **lost)
        self.walk.call("forgetScene", 204, token=self.phone["token"], scene="lost")
        self.call("undeleteArchive", 409, "undo-refused", **lost)

    def events(self):
        """The stream of the app's changes, and its refusals."""
        self.call("streamAppEvents", 400, "malformed-query", query={"recent": 201}, **self.app)
        self.walk.app_events(self.app["app"], self.token)

    def hidden(self):
        """An app that hides its contents, and whose users have one archive each."""
        key = self.walk.service.create_app("com.example.hidden", userArchives=1)
        phone = self.walk.call("registerDevice", 201, data={"app": key, "idiom": "phone"}).document
        archive = new_id()
        self.walk.upload(scene="main", archive=archive, token=phone["token"])
        one = {"app": self.app_id("com.example.hidden"), "user": phone["user"], "scene": "main", "archive": archive}
        assert self.call("inspectArchive", 200, **one).document["isRedacted"]
        for name in ("downloadArchive", "viewScreenshot"):
            self.call(name, 403, "contents-hidden", **one)
        self.call("makeUsersHead", 409, "quota-exceeded", **one)

    def items(self):
        phone = {"device": self.phone["device"]}
        assert any(source["name"] == "browsed" and len(source["registrations"]) == 2
                   for source in self.tagged("listUsersDataSources", **self.user)["items"])
        self.call("listUsersDataSources", 400, "malformed-query", query={"limit": 0}, **self.user)
        assert self.tagged("listUsersItems", query=phone, **self.list)["items"][0]["identifier"] == "p1"
        self.call("listUsersItems", 400, "malformed-query", **self.list)
        self.tagged("listAmbiguousAliases", **self.list)
        self.call("listAmbiguousAliases", 400, "malformed-query", query={"cursor": "x"}, **self.list)
        self.call("listAmbiguousAliases", 404, "user-not-found", **{**self.list, "user": new_id()})
        item = {**self.list, "identifier": "p1"}
        explained = self.tagged("explainItem", query={**phone, "for": self.pad["device"]}, **item)
        assert explained["identifier"] == "q1" and len(explained["members"]) == 2
        self.call("explainItem", 400, "malformed-query", **item)
        self.call("explainItem", 404, "item-not-found", query=phone, **self.list, identifier="none")
        self.call("explainItem", 422, "identifier-invalid", query=phone, **self.list, identifier="x" * 513)
        pair = {"first": f"{self.phone['device']}:p1", "second": f"{self.pad['device']}:q1"}
        self.call("decideItems", 201, data={"kind": "different", "note": "checked", **pair}, **self.list)
        assert len(self.tagged("listDecisions", **self.list)["items"]) == 1
        self.call("listDecisions", 400, "malformed-query", query={"limit": 0}, **self.list)
        self.call("removeItemDecision", 204, query=pair, **self.list)
        self.call("removeItemDecision", 404, "decision-not-found", query=pair, **self.list)
        self.call("removeItemDecision", 400, "malformed-query", **self.list)
        self.call("removeItemDecision", 422, "link-invalid", query={**pair, "first": "p1"}, **self.list)
        self.call("decideItems", 422, "link-invalid", data={"kind": "same", **pair, "first": "p1"}, **self.list)
        requests = {"listUsersItems": {"query": phone}, "explainItem": {"query": phone, "identifier": "p1"},
                    "listDecisions": {}, "decideItems": {"data": {"kind": "same", **pair}},
                    "removeItemDecision": {"query": pair}}
        for name, request in requests.items():
            self.call(name, 409, "items-not-registered", **self.shared, **request)
            self.call(name, 404, "data-source-unknown", **{**self.list, "name": "unknown"}, **request)
            self.call(name, 400, "malformed-path", **{**self.list, "name": "%FF"}, **request)

    def endings(self):
        """The exports and erasures of an administrator, and the end of an app."""
        self.call("exportUsersData", 200, **self.user)
        self.call("exportUsersData", 404, "user-not-found", user=new_id(), **self.app)
        device = {"device": self.pad["device"], **self.user}
        self.call("revokeUsersDevice", 204, **device)
        self.call("revokeUsersDevice", 404, "device-not-found", **device)
        self.call("eraseUsersData", 204, **self.user)
        self.call("eraseUsersData", 404, "user-not-found", **self.user)
        app = {"app": self.app_id("com.example.browsed")}
        self.call("deleteApp", 400, "malformed-query", query={"confirm": "com.example.browsing"}, **app)
        self.call("deleteApp", 202, query={"confirm": "com.example.browsed"}, **app)
