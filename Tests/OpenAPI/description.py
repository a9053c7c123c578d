"""What openapi.yaml says, in a form that answers can be held against."""

import re
import uuid

import jsonschema
import openapi_spec_validator
import yaml

METHODS = ("get", "put", "post", "delete", "patch")

# What any answer may carry without its operation naming it: what the description says of all answers, and what HTTP
# itself is for.
COMMON_FIELDS = {
    "cache-control", "connection", "content-encoding", "content-length", "content-security-policy", "content-type",
    "date", "transfer-encoding", "ratelimit", "ratelimit-policy", "strict-transport-security", "vary", "x-content-type-options", "x-request-id",
}

formats = jsonschema.Draft202012Validator.FORMAT_CHECKER


@formats.checks("int64", raises=ValueError)
def is_int64(value):
    return not isinstance(value, int) or -(2**63) <= value < 2**63


@formats.checks("uuid", raises=ValueError)
def is_uuid(value):
    """As the service writes them: canonical, in lower case."""
    return not isinstance(value, str) or str(uuid.UUID(value)) == value


class Description:
    def __init__(self, text):
        self.document = yaml.safe_load(text)
        openapi_spec_validator.validate(self.document)
        self.resolved = self._resolve(self.document, ())
        self.problems = self.resolved["x-problems"]
        self.operations = {}
        for path, item in self.resolved["paths"].items():
            for method in METHODS:
                if method in item:
                    operation = Operation(self, path, method, item)
                    assert operation.id not in self.operations, f"{operation.id} stands twice"
                    self.operations[operation.id] = operation
        self._refuse_unknown_formats(self.resolved)

    def _resolve(self, node, inside):
        """Puts what a reference names in its place; members beside the reference go before those of what it names."""
        if isinstance(node, list):
            return [self._resolve(item, inside) for item in node]
        if not isinstance(node, dict):
            return node
        siblings = {key: self._resolve(value, inside) for key, value in node.items() if key != "$ref"}
        reference = node.get("$ref")
        if reference is None:
            return siblings
        assert reference.startswith("#/") and reference not in inside, f"{reference} cannot be followed"
        target = self.document
        for part in reference[2:].split("/"):
            target = target[part]
        return {**self._resolve(target, inside + (reference,)), **siblings}

    def _refuse_unknown_formats(self, node):
        if isinstance(node, list):
            for item in node:
                self._refuse_unknown_formats(item)
        if isinstance(node, dict):
            format = node.get("format")
            if isinstance(format, str) and format not in formats.checkers:
                raise AssertionError(f"nothing checks the format {format}")
            for item in node.values():
                self._refuse_unknown_formats(item)

    def codes(self, response):
        """The problem codes that a response's description names."""
        return [word for word in re.findall(r"`([a-z-]+)`", response["description"]) if word in self.problems]


class Operation:
    def __init__(self, description, path, method, item):
        self.description = description
        self.path = path
        self.method = method.upper()
        self.node = item[method]
        self.id = self.node["operationId"]
        self.parameters = item.get("parameters", []) + self.node.get("parameters", [])
        self.responses = {int(status): node for status, node in self.node["responses"].items() if status != "default"}
        self.default = self.node["responses"]["default"]
        security = self.node.get("security", description.resolved["security"])
        self.needs_token = security != [] and {} not in security
        self.is_administrative = path.startswith("/admin/")

    def response(self, status, code):
        """What is said of an answer: by its own status, or by `default` for codes that any request may get."""
        return self.responses.get(status) or (self.default if code in self.description.codes(self.default) else None)

    def faults(self, status, fields, body_type, json, code):
        """What an answer has that is not described, or not as it is described."""
        response = self.response(status, code)
        if response is None:
            return [f"the status {status} ({code}) is not described"]
        found = []
        # Fields that a 200 would have had may stand in a 304, too (RFC 9110 section 15.4.5).
        headers = {**(self.responses[200].get("headers", {}) if status == 304 else {}), **response.get("headers", {})}
        found += self._field_faults(headers, fields)
        content = response.get("content", {})
        if body_type not in content and not (body_type is None and not content):
            found.append(f"the content type {body_type} is not described")
        schema = content.get(body_type, {}).get("schema")
        if schema is not None and json is not None:
            found += schema_faults(json, schema)
        if code is not None:
            found += self._problem_faults(response, status, code, json)
        return found

    def _problem_faults(self, response, status, code, problem):
        known = self.description.problems.get(code)
        if known is None:
            return [f"the code {code} is not among x-problems"]
        found = []
        if (known["status"], known["title"]) != (status, problem["title"]) or problem["status"] != status:
            found.append(f"status or title of {code} are not those of x-problems")
        if problem["type"] != f"/openapi.yaml#/x-problems/{code}":
            found.append(f"the type is {problem['type']}")
        if code not in self.description.codes(response):
            found.append(f"the description of {status} does not name the code {code}")
        return found

    def _field_faults(self, headers, fields):
        described = {name.lower(): header for name, header in headers.items()}
        found = []
        for name, value in fields.items():
            if name in COMMON_FIELDS:
                continue
            # Every answer about a scene may name its head.
            if name == "head-revision" and self.path.startswith("/v1/scenes/"):
                described.setdefault(name, {"schema": {"type": "integer"}})
            if name not in described:
                found.append(f"the field {name} is not described")
                continue
            schema = described[name]["schema"]
            typed = int(value) if schema.get("type") == "integer" and re.fullmatch(r"-?\d+", value) else value
            found += [f"{name}: {fault}" for fault in schema_faults(typed, schema)]
        for name, header in described.items():
            if header.get("required") and name not in fields:
                found.append(f"the field {name} is missing")
        return found


def schema_faults(value, schema):
    """What is wrong with a value; members that its schema does not name are."""
    validator = jsonschema.Draft202012Validator(closed(schema), format_checker=formats)
    return [f"{fault.json_path}: {fault.message[:200]}" for fault in validator.iter_errors(value)]


def closed(schema):
    """The schema, with no members but those that it names."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result
