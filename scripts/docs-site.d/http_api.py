"""The HTTP API as one page, from openapi.yaml: the text on the left, requests and responses on the right."""

import http
import json
import re

import yaml

from guides import block
from site_pages import Page, escape

METHODS = ("get", "put", "post", "patch", "delete")
FORMATS = {"uuid": "8c5b2a3e-41f7-4d0a-9b7e-2f6d1c0a9e53", "date-time": "2026-11-21T03:40:00.125Z",
           "uri-reference": "/v1/devices/self"}
FILES = {"application/x-plist": "state.plist", "application/octet-stream": "state.sealed", "image/png": "screen.png",
         "application/x-ndjson": "export.ndjson"}


class API:
    def __init__(self, site, markdown):
        self.site, self.markdown, self.source, self.url = site, markdown, "openapi.yaml", "http-api.html"
        text = (site.root / self.source).read_text()
        self.description = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.headings, self.sections = [], []
        site.urls[self.source] = self.url
        for code in self.description["x-problems"]:
            # A code of one word, such as `throttled`, is also an English word.
            if "-" in code:
                site.symbols[code] = f"{self.url}#problem-{code}"
        # The scalars of all examples, by the name of their member: better samples than "string".
        self.known = {}
        self.learn(self.description["paths"])

    def learn(self, node):
        if isinstance(node, list):
            for item in node:
                self.learn(item)
        elif isinstance(node, dict):
            for name, value in node.items():
                if name == "value" and isinstance(value, dict):
                    self.known.update({key: text for key, text in value.items() if isinstance(text, str)} | self.known)
                self.learn(value)

    def resolve(self, node):
        """The node behind a reference, with what stands beside the reference, and the reference's last word."""
        name = None
        while "$ref" in node:
            path = node["$ref"].split("/")[1:]
            name, target = path[-1], self.description
            for part in path:
                target = target[part]
            node = target | {key: value for key, value in node.items() if key != "$ref"}
        return node, name

    def text(self, text):
        return self.markdown.render(text or "", self.source, self.url).html

    def brief(self, text):
        return self.markdown.brief(text or "", self.source, self.url)

    # Types

    def type(self, schema):
        """A type in words, with links to the schemas."""
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            return f'<a href="#schema-{name}">{name}</a>'
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return " or ".join(self.type(option) for option in schema[key])
        if "const" in schema:
            return f"<code>{escape(json.dumps(schema['const']))}</code>"
        if "enum" in schema:
            return "one of " + ", ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
        kind = schema.get("type", "any value")
        if kind == "array":
            return f"array of {self.type(schema.get('items', {}))}"
        if isinstance(kind, list):
            return " or ".join(kind)
        return escape({"uuid": "UUID", "date-time": "time"}.get(schema.get("format"), kind))

    def bounds(self, schema):
        found = [f"{label} {schema[key]}{unit}" for key, label, unit in (
            ("minimum", "at least", ""), ("maximum", "at most", ""), ("minLength", "at least", " characters"),
            ("maxLength", "at most", " characters"), ("minItems", "at least", " items"), ("maxItems", "at most", " items"),
        ) if key in schema]
        if "default" in schema:
            found.append(f"default <code>{escape(json.dumps(schema['default']))}</code>")
        if "pattern" in schema and len(schema["pattern"]) < 60:
            found.append(f"<code>{escape(schema['pattern'])}</code>")
        return f' <span class="bounds">{", ".join(found)}</span>' if found else ""

    def row(self, name, schema, is_required=False, place="", text=""):
        """One parameter or member, with the members of an object that has no schema of its own."""
        inner = schema.get("items", schema)
        members = self.members(inner) if inner.get("properties") and "$ref" not in inner else ""
        required = '<span class="required">required</span>' if is_required else ""
        return (f'<li><code class="name">{escape(name)}</code> <span class="type">{self.type(schema)}</span> '
                f'<span class="where">{place}</span> {required}{self.bounds(schema)}'
                f'{self.text(text or schema.get("description"))}{members}</li>')

    def members(self, schema):
        required = schema.get("required", [])
        rows = "".join(self.row(name, member, name in required) for name, member in schema.get("properties", {}).items())
        return f'<ul class="members">{rows}</ul>' if rows else ""

    def sample(self, schema, name="", depth=0):
        """A value that the schema allows, from the examples of the description where they have one."""
        schema, _ = self.resolve(schema)
        for key in ("example", "const", "default"):
            if key in schema:
                return schema[key]
        if schema.get("examples") or schema.get("enum"):
            return (schema.get("examples") or schema["enum"])[0]
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return self.sample(schema[key][0], name, depth)
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object" or "properties" in schema:
            if depth > 3:
                return {}
            return {key: self.sample(member, key, depth + 1) for key, member in schema.get("properties", {}).items()}
        if kind == "array":
            return [] if depth > 3 else [self.sample(schema.get("items", {}), name, depth + 1)]
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        if kind == "boolean":
            return True
        return FORMATS.get(schema.get("format")) or self.known.get(name, "…")

    # Operations

    def page(self):
        info, body = self.description["info"], []
        body.append(f'<div class="row"><div><h1>HTTP API</h1>{self.text(info["description"])}'
                    '<p>In the examples, <code>SERVER</code> is the address of the service. A response without an example in '
                    'the description is made from its schema. <a href="openapi.yaml" download>Download openapi.yaml</a></p>'
                    f'</div></div>{self.authentication()}')
        self.sections.append(("", "HTTP API", info["description"]))
        for tag in self.description["tags"]:
            operations = [(path, method, item) for path, item in self.description["paths"].items()
                          for method in METHODS if tag["name"] in item.get(method, {}).get("tags", [])]
            title = tag["name"].capitalize()
            endpoints = "".join(
                f'<li><a href="#{item[method]["operationId"]}"><b class="{method}">{method.upper()}</b>'
                f'<span>{escape(path)}</span></a></li>' for path, method, item in operations)
            body.append(f'<div class="row"><div><h2 id="{tag["name"]}">{title}</h2>{self.text(tag.get("description"))}</div>'
                        f'<div><div class="example"><h4>Endpoints</h4><ul class="endpoints">{endpoints}</ul></div></div></div>')
            self.headings.append((2, tag["name"], title))
            body += [self.operation(path, method, item) for path, method, item in operations]
        body += [self.answers(), self.problems(), self.schemas()]
        nested = "".join(
            f'<li><a href="#{anchor}">{escape(title)}</a>' if level == 2 else f'<li class="inner"><a href="#{anchor}">{escape(title)}</a>'
            for level, anchor, title in self.headings)
        self.site.add(Page(self.url, "HTTP API", "\n".join(body), self.source, "api", self.headings,
                           nested=f'<ul class="follows">{nested}</ul>'), self.sections, "HTTP")

    def authentication(self):
        rows = "".join(
            f'<li><code class="name">{name}</code> <span class="type">{scheme["type"]} {scheme.get("scheme", scheme.get("in", ""))}'
            f'</span>{self.text(scheme["description"])}</li>'
            for name, scheme in self.description["components"]["securitySchemes"].items())
        self.headings.append((2, "authentication", "Authentication"))
        return f'<div class="row"><div><h2 id="authentication">Authentication</h2><ul class="members">{rows}</ul></div></div>'

    def operation(self, path, method, item):
        one = item[method]
        security = [name for option in one.get("security", self.description["security"]) for name in option]
        parameters = [self.resolve(parameter)[0] for parameter in item.get("parameters", []) + one.get("parameters", [])]
        left = (f'<h3 id="{one["operationId"]}">{escape(one["summary"])}<a class="anchor" href="#{one["operationId"]}" '
                f'aria-label="Link to this operation">#</a></h3><p class="path"><b class="{method}">{method.upper()}</b> '
                f'<code>{escape(path)}</code></p>{self.text(one.get("description"))}')
        left += '<p class="auth">' + (" or ".join(f'<a href="#authentication">{name}</a>' for name in security)
                                      or "No credential") + "</p>"
        if parameters:
            rows = "".join(self.row(parameter["name"], parameter["schema"], parameter.get("required"), parameter["in"],
                                    parameter.get("description")) for parameter in parameters)
            left += f'<h4>Parameters</h4><ul class="members">{rows}</ul>'
        body = one.get("requestBody", {})
        for kind, content in body.get("content", {}).items():
            schema, name = self.resolve(content["schema"])
            members = self.members(schema)
            left += (f'<h4>Body <span class="type">{kind}</span></h4>{self.text(body.get("description"))}'
                     + (members or f'<p>{self.type(content["schema"])}</p>'))
        left += f"<h4>Responses</h4>{self.responses(one)}"
        self.headings.append((3, one["operationId"], one["summary"]))
        self.sections.append((one["operationId"], f"{method.upper()} {path}",
                              " ".join([one["summary"], one.get("description", ""), *(one["name"] for one in parameters)])))
        return (f'<section class="row operation"><div>{left}</div>'
                f"<div>{self.request(path, method, one, security, parameters)}{self.response_examples(one)}</div></section>")

    def responses(self, one):
        rows = ""
        for status, response in one["responses"].items():
            response, name = self.resolve(response)
            text = response.get("description", "")
            codes = [code for code in re.findall(r"`([a-z-]+)`", text) if code in self.description["x-problems"]]
            is_problem = any("problem" in kind for kind in response.get("content", {}))
            if name and is_problem:
                codes = "".join(f'<a href="#problem-{code}"><code>{code}</code></a> ' for code in dict.fromkeys(codes))
                text = f'<a href="#answer-{name}">{re.sub("(?<=[a-z])(?=[A-Z])", " ", name)}</a> <span class="codes">{codes}</span>'
            else:
                kinds = " or ".join(
                    self.type(content["schema"]) if "json" in kind else f"<code>{kind}</code>"
                    for kind, content in response.get("content", {}).items())
                text = f"{self.brief(text)} {kinds}{self.fields(response)}"
            rows += f'<dt class="status-{status[0]}">{"any" if status == "default" else status}</dt><dd>{text}</dd>'
        return f'<dl class="responses">{rows}</dl>'

    def fields(self, response):
        """The header fields of a response."""
        fields = {name: self.resolve(field)[0] for name, field in response.get("headers", {}).items()}
        rows = "".join(self.row(name, field["schema"], text=field.get("description")) for name, field in fields.items())
        return f'<details><summary>{len(fields)} header field{"s" * (len(fields) > 1)}</summary><ul class="members">{rows}</ul></details>' if rows else ""

    def request(self, path, method, one, security, parameters):
        query = "&".join(f'{parameter["name"]}={self.sample(parameter["schema"], parameter["name"])}'
                         for parameter in parameters if parameter["in"] == "query" and parameter.get("required"))
        lines = ["curl" + (f" -X {method.upper()}" if method != "get" else "")
                 + f' "$SERVER{re.sub("{([a-z]+)}", lambda match: "$" + match[1].upper(), path)}{"?" + query if query else ""}"']
        if security:
            lines.append('-H "Authorization: Bearer $TOKEN"' if security != ["adminSession"] else '-b "$COOKIE"')
        lines += [f'-H "{parameter["name"]}: …"' for parameter in parameters
                  if parameter["in"] == "header" and parameter.get("required")]
        content = one.get("requestBody", {}).get("content", {})
        kind = next(iter(content), None)
        if kind:
            lines.append(f"-H 'Content-Type: {kind}'")
        if kind and "json" in kind and "ndjson" not in kind:
            examples = content[kind].get("examples", {})
            value = next(iter(examples.values()))["value"] if examples else self.sample(content[kind]["schema"])
            lines.append("-d '" + json.dumps(value, indent=2, ensure_ascii=False).replace("'", "'\\''") + "'")
        elif kind:
            lines.append(f"--data-binary @{FILES.get(kind, 'body')}")
        return self.example("Request", " \\\n  ".join(lines), "sh")

    def example(self, title, code, language):
        return f'<div class="example"><h4>{title}</h4>{block(code, language)}</div>'

    def response_examples(self, one):
        """The first response that has a body."""
        for status, response in one["responses"].items():
            response, _ = self.resolve(response)
            for kind, content in response.get("content", {}).items():
                if not status.startswith("2"):
                    continue
                examples = content.get("examples", {})
                value = next(iter(examples.values()))["value"] if examples else None
                if isinstance(value, str):
                    return self.example(f"Response {status}", value, "text")
                if "json" in kind:
                    value = value if examples else self.sample(content["schema"])
                    return self.example(f"Response {status}", json.dumps(value, indent=2, ensure_ascii=False), "json")
        return ""

    # Lists at the end

    def answers(self):
        rows = ""
        self.headings.append((2, "answers", "Answers with problems"))
        for name, response in self.description["components"]["responses"].items():
            if any("problem" in kind for kind in response.get("content", {})):
                rows += (f'<section class="member" id="answer-{name}"><h3>{re.sub("(?<=[a-z])(?=[A-Z])", " ", name)}</h3>'
                         f'{self.text(response["description"])}{self.fields(response)}</section>')
                self.sections.append((f"answer-{name}", name, response["description"]))
        problem = self.sample({"$ref": "#/components/schemas/Problem"})
        return (f'<div class="row"><div><h2 id="answers">Answers with problems</h2><p>The body is a '
                f'<a href="#schema-Problem">Problem</a>.</p>{rows}</div>'
                f'<div>{self.example("Problem", json.dumps(problem, indent=2, ensure_ascii=False), "json")}</div></div>')

    def problems(self):
        self.headings.append((2, "problems", "Problem codes"))
        rows = ""
        for code, problem in self.description["x-problems"].items():
            status = problem["status"]
            rows += (f'<tr id="problem-{code}"><td><code>{code}</code></td><td>{status} {http.HTTPStatus(status).phrase}</td>'
                     f"<td>{escape(problem['title'])}</td></tr>")
            self.sections.append((f"problem-{code}", code, f"{status} {problem['title']}"))
        return ('<h2 id="problems">Problem codes</h2><div class="wide" tabindex="0"><table><thead><tr><th>Code</th><th>Status</th>'
                f"<th>Meaning</th></tr></thead><tbody>{rows}</tbody></table></div>")

    def schemas(self):
        self.headings.append((2, "schemas", "Schemas"))
        rows = ""
        for name, schema in self.description["components"]["schemas"].items():
            members = self.members(schema) or f'<p>{self.type(schema)}{self.bounds(schema)}</p>'
            sample = self.example(name, json.dumps(self.sample(schema), indent=2, ensure_ascii=False), "json") \
                if schema.get("properties") else ""
            rows += (f'<section class="row"><div><h3 id="schema-{name}">{name}<a class="anchor" href="#schema-{name}" '
                     f'aria-label="Link to this schema">#</a></h3>{self.text(schema.get("description"))}{members}</div>'
                     f"<div>{sample}</div></section>")
            self.sections.append((f"schema-{name}", name, " ".join([schema.get("description", ""), *schema.get("properties", {})])))
        return f'<h2 id="schemas">Schemas</h2>{rows}'
