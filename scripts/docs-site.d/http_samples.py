"""Examples of requests and responses for the HTTP API."""

import json
import re

TIME = "2026-11-21T03:40:00.125Z"
FORMATS = {"uuid": "8c5b2a3e-41f7-4d0a-9b7e-2f6d1c0a9e53", "date-time": TIME, "uri-reference": "/v1/devices/self"}
FILES = {"application/x-plist": "state.plist", "application/octet-stream": "state.sealed", "image/png": "screen.png",
         "application/x-ndjson": "export.ndjson"}
DEPTH = 4


def formatted(value):
    return json.dumps(value, indent=2, ensure_ascii=False)


def example_of(content):
    """The first example that the description has for a body, or None."""
    return next((example["value"] for example in content.get("examples", {}).values()), None)


class Samples:
    def __init__(self, description, resolve):
        self.resolve = resolve
        code, problem = next(item for item in description["x-problems"].items() if item[1]["status"] == 404)
        self.problem = {"type": f"/openapi.yaml#/x-problems/{code}"} | problem | {"detail": "…", "code": code}
        # The texts of all examples, by the name of their member: better samples than "…".
        self.known = {}
        self.learn(description["paths"])

    def learn(self, node):
        if isinstance(node, list):
            node = dict(enumerate(node))
        for name, value in node.items() if isinstance(node, dict) else ():
            if name == "value" and isinstance(value, dict):
                self.known = {key: text for key, text in value.items() if isinstance(text, str)} | self.known
            self.learn(value)

    def value(self, schema, name="", depth=DEPTH):
        """A value that the schema allows."""
        schema, reference = self.resolve(schema)
        if reference == "Problem":
            return self.problem
        for key in ("example", "const", "default"):
            if key in schema:
                return schema[key]
        if choices := schema.get("examples") or schema.get("enum"):
            return self.known[name] if self.known.get(name) in choices else choices[0]
        if options := schema.get("oneOf") or schema.get("anyOf"):
            return self.value(options[0], name, depth)
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object" or "properties" in schema:
            members = schema.get("properties", {}) if depth else {}
            return {key: self.value(member, key, depth - 1) for key, member in members.items()}
        if kind == "array":
            return [self.value(schema.get("items", {}), name, depth - 1)] if depth else []
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        return True if kind == "boolean" else self.text(schema, name)

    def text(self, schema, name):
        known, pattern = self.known.get(name, "…"), schema.get("pattern", "")
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]]
        return known if re.search(pattern, known) else re.match(r"\^?([a-z_]*)", pattern)[1] + "…"

    def request(self, method, path, operation, parameters, credentials, accept):
        """A request as a curl command. `accept` is the type that it asks for, unless that is the first one."""
        path = re.sub(r"{(\w+)}", lambda match: "$" + match[1].upper(), path)
        required = [parameter for parameter in parameters if parameter.get("required")]
        query = "&".join(f"{parameter['name']}={self.value(parameter['schema'], parameter['name'])}"
                         for parameter in required if parameter["in"] == "query")
        lines = ["curl" + (f" -X {method.upper()}" if method != "get" else "")
                 + f' "$SERVER{path}{"?" if query else ""}{query}"']
        if credentials:
            is_cookie = credentials == ["adminSession"]
            lines.append('-b "$COOKIE"' if is_cookie else '-H "Authorization: Bearer $TOKEN"')
        lines += [f"-H '{parameter['name']}: …'" for parameter in required if parameter["in"] == "header"]
        lines += [f"-H 'Accept: {accept}'"] if accept else []
        for kind, content in list(operation.get("requestBody", {}).get("content", {}).items())[:1]:
            lines.append(f"-H 'Content-Type: {kind}'")
            if kind in FILES:
                lines.append(f"--data-binary @{FILES[kind]}")
            else:
                body = formatted(example_of(content) or self.value(content["schema"]))
                lines.append("-d '" + body.replace("'", "'\\''") + "'")
        return " \\\n  ".join(lines)

    def response(self, operation):
        """The first success with a body that has an example or is JSON: its status, language and text, and the type to
        ask for."""
        for status, response in operation["responses"].items():
            contents = self.resolve(response)[0].get("content", {}) if status[0] == "2" else {}
            for kind, content in contents.items():
                example, accept = example_of(content), None if kind == next(iter(contents)) else kind
                if isinstance(example, str):
                    return status, "text", example, accept
                if kind == "application/json":
                    return status, "json", formatted(example or self.value(content["schema"])), accept
        return None, "", "", None
