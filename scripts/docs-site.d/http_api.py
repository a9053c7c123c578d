"""The HTTP API as one page, from openapi.yaml: the text on the left, requests and responses on the right."""

import http
import json
import re

import yaml

from guides import block
from http_samples import Samples, formatted
from pages import Page, escape

METHODS = ("get", "put", "post", "patch", "delete")
BOUNDS = (("minimum", "at least {}"), ("maximum", "at most {}"), ("minLength", "at least {} characters"),
          ("maxLength", "at most {} characters"), ("minItems", "at least {} items"), ("maxItems", "at most {} items"))
ABOUT_EXAMPLES = """<p>In the examples, <code>SERVER</code> is the address of the service. Most responses are made from
their schemas. <a href="openapi.yaml" download>Download openapi.yaml</a></p>"""


def row(left, right=""):
    return f'<div class="row"><div>{left}</div>' + (f"<div>{right}</div>" if right else "") + "</div>"


def anchored(level, anchor, title):
    link = f'<a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>'
    return f'<h{level} id="{anchor}">{escape(title)}{link}</h{level}>'


def example(title, code, language):
    return f'<div class="example"><p>{escape(title)}</p>{block(code, language)}</div>'


def request_line(method, path):
    return f'<b class="{method}">{method.upper()}</b> <code>{escape(path)}</code>'


def words(name):
    """`TooLarge` as `Too large`."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda match: " " + match[1].lower(), name)


def list_of(rows):
    return f'<ul class="members">{"".join(rows)}</ul>' if rows else ""


class API:
    def __init__(self, site, markdown):
        self.site, self.markdown, self.source, self.url = site, markdown, "openapi.yaml", "http-api.html"
        self.description = yaml.load(site.text(self.source), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.components, self.codes = self.description["components"], self.description["x-problems"]
        self.samples = Samples(self.description, self.resolve)
        self.headings, self.sections = [], []
        site.urls[self.source] = self.url
        site.symbols["x-problems"] = f"{self.url}#problems"
        # A code of one word, such as `throttled`, may mean something else in a guide.
        site.symbols.update({code: f"{self.url}#problem-{code}" for code in self.codes if "-" in code})

    def resolve(self, node):
        """What a reference leads to, with the members beside the reference, and its name. Another node is unchanged."""
        name = None
        while "$ref" in node:
            kind, name = node["$ref"].split("/")[-2:]
            node = self.components[kind][name] | {key: value for key, value in node.items() if key != "$ref"}
        return node, name

    def text(self, text):
        return self.markdown.render(text or "", self.source, self.url).html

    def heading(self, level, anchor, title):
        """A heading that the navigation lists too."""
        self.headings.append((level, anchor, title))
        return anchored(level, anchor, title)

    # Types

    def type(self, schema):
        """A type in words, with links to the schemas."""
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            return f'<a href="#schema-{name}">{name}</a>'
        if options := schema.get("oneOf") or schema.get("anyOf"):
            return " or ".join(self.type(option) for option in options)
        if values := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
            return " or ".join(f"<code>{escape(str(value))}</code>" for value in values)
        kind = schema.get("type", "any value")
        if kind == "array":
            return f"array of {self.type(schema.get('items', {}))}"
        if isinstance(kind, list):
            return escape(" or ".join(kind))
        return escape({"uuid": "UUID", "date-time": "time"}.get(schema.get("format"), kind))

    def bounds(self, schema):
        found = [text.format(schema[key]) for key, text in BOUNDS if key in schema]
        if "default" in schema:
            found.append(f"default <code>{escape(json.dumps(schema['default']))}</code>")
        if len(schema.get("pattern", "")) in range(1, 60):
            found.append(f"<code>{escape(schema['pattern'])}</code>")
        return f' <span class="bounds">{", ".join(found)}</span>' if found else ""

    def member(self, name, schema, is_required=False, place="", text=""):
        """A parameter, field or member, with the members of an object that is not a schema of its own."""
        inner = schema.get("items", schema)
        required = '<span class="required">required</span>' if is_required else ""
        return (f'<li><code class="name">{escape(name)}</code> <span class="type">{self.type(schema)} {place}</span> '
                f"{required}{self.bounds(schema)}{self.text(text or schema.get('description'))}"
                f"{self.members(inner) if '$ref' not in inner else ''}</li>")

    def members(self, schema):
        required, members = schema.get("required", []), schema.get("properties", {})
        return list_of([self.member(name, member, name in required) for name, member in members.items()])

    # The page

    def add_page(self):
        info = self.description["info"]
        self.sections.append(("", "HTTP API", info["description"]))
        body = [row(f"<h1>HTTP API</h1>{self.text(info['description'])}{ABOUT_EXAMPLES}",
                    example("A problem", formatted(self.samples.problem), "json")), self.authentication()]
        for tag in self.description["tags"]:
            operations = [(path, method, item) for path, item in self.description["paths"].items()
                          for method in METHODS if tag["name"] in item.get(method, {}).get("tags", [])]
            body += [self.tag(tag, operations)] + [self.operation(*operation) for operation in operations]
        body += [self.problem_responses(), self.problem_codes(), self.schemas()]
        entries = "".join(f'<li class="level-{level}"><a href="#{anchor}">{escape(title)}</a></li>'
                          for level, anchor, title in self.headings)
        self.site.add(Page(self.url, "HTTP API", "\n".join(body), self.source, "api",
                           nested=f'<ul class="follows">{entries}</ul>'), self.sections, "HTTP")

    def authentication(self):
        schemes = self.components["securitySchemes"]
        rows = [f'<li><code class="name">{name}</code> <span class="type">{scheme.get("scheme") or scheme["in"]}</span>'
                f"{self.text(scheme['description'])}</li>" for name, scheme in schemes.items()]
        return row(self.heading(2, "authentication", "Authentication") + list_of(rows))

    def tag(self, tag, operations):
        endpoints = "".join(f'<li><a href="#{item[method]["operationId"]}">{request_line(method, path)}</a></li>'
                            for path, method, item in operations)
        return row(self.heading(2, tag["name"], tag["name"].capitalize()) + self.text(tag.get("description")),
                   f'<div class="example"><p>Requests</p><ul class="endpoints">{endpoints}</ul></div>')

    def operation(self, path, method, item):
        operation = item[method]
        anchor, title = operation["operationId"], operation["summary"]
        options = operation.get("security", self.description["security"])
        credentials = [name for option in options for name in option]
        parameters = item.get("parameters", []) + operation.get("parameters", [])
        parameters = [self.resolve(parameter)[0] for parameter in parameters]
        self.sections.append((anchor, f"{method.upper()} {path}", " ".join(
            [title, operation.get("description", ""), *(parameter["name"] for parameter in parameters)])))
        left = (self.heading(3, anchor, title) + f'<p class="path">{request_line(method, path)}</p>'
                + self.text(operation.get("description")) + self.credentials(credentials, {} in options))
        if parameters:
            left += "<h4>Parameters</h4>" + list_of([
                self.member(parameter["name"], parameter["schema"], parameter.get("required"), parameter["in"],
                            parameter.get("description")) for parameter in parameters])
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            members = self.members(self.resolve(content["schema"])[0])
            members = members or f"<p>{self.type(content['schema'])}</p>"
            left += f'<h4>Body <span class="type">{kind}</span></h4>{members}'
        left += "<h4>Responses</h4>" + self.responses(operation)
        status, language, response, accept = self.samples.response(operation)
        request = self.samples.request(method, path, operation, parameters, credentials, accept)
        right = example("Request", request, "sh")
        right += example(f"Response {status}", response, language) if status else ""
        return row(left, right)

    def credentials(self, names, is_optional):
        links = [f'<a href="#authentication">{name}</a>' for name in names] + ["none"] * (is_optional or not names)
        return f'<p class="auth">Credential: {" or ".join(links)}</p>'

    def responses(self, operation):
        rows = ""
        for status, response in operation["responses"].items():
            response, name = self.resolve(response)
            if name and any("problem" in kind for kind in response.get("content", {})):
                codes = [code for code in dict.fromkeys(re.findall(r"`([a-z-]+)`", response["description"]))
                         if code in self.codes]
                links = " ".join(f'<a href="#problem-{code}"><code>{code}</code></a>' for code in codes)
                text = f'<a href="#response-{name}">{words(name)}</a> <span class="codes">{links}</span>'
            else:
                text = self.markdown.brief(response["description"], self.source, self.url)
                text += " " + " or ".join(self.content(*item) for item in response.get("content", {}).items())
                text += self.fields(response)
            rows += f'<dt class="status-{status[0]}">{"any" if status == "default" else status}</dt><dd>{text}</dd>'
        return f'<dl class="responses">{rows}</dl>'

    def content(self, kind, content):
        """The body of a response: its schema, its members or its media type."""
        schema = content["schema"]
        return f"<code>{kind}</code>" if "json" not in kind else self.members(schema) or self.type(schema)

    def fields(self, response):
        """The header fields of a response."""
        fields = {name: self.resolve(field)[0] for name, field in response.get("headers", {}).items()}
        rows = [self.member(name, field["schema"], text=field.get("description")) for name, field in fields.items()]
        summary = f"<summary>Header fields: {', '.join(fields)}</summary>"
        return f"<details>{summary}{list_of(rows)}</details>" if rows else ""

    # The lists at the end

    def problem_responses(self):
        body = self.heading(2, "problem-responses", "Problem responses")
        body += '<p>The body is a <a href="#schema-Problem">Problem</a>.</p>'
        for name, response in self.components["responses"].items():
            if any("problem" in kind for kind in response.get("content", {})):
                anchor, title, text = f"response-{name}", words(name), response["description"]
                body += anchored(3, anchor, title) + self.text(text) + self.fields(response)
                self.sections.append((anchor, title, text))
        return row(body)

    def problem_codes(self):
        rows = ""
        for code, problem in self.codes.items():
            status = f"{problem['status']} {http.HTTPStatus(problem['status']).phrase}"
            rows += (f'<tr id="problem-{code}"><td><code>{code}</code></td><td>{status}</td>'
                     f"<td>{escape(problem['title'])}</td></tr>")
            self.sections.append((f"problem-{code}", code, f"{status}: {problem['title']}"))
        head = "<tr><th>Code</th><th>Status</th><th>Meaning</th></tr>"
        return (self.heading(2, "problems", "Problem codes") + '<div class="wide" tabindex="0"><table>'
                f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>")

    def schemas(self):
        body = self.heading(2, "schemas", "Schemas")
        for name, schema in self.components["schemas"].items():
            anchor, text, members = f"schema-{name}", schema.get("description", ""), self.members(schema)
            sample = formatted(self.samples.value({"$ref": f"#/components/schemas/{name}"}))
            body += row(anchored(3, anchor, name) + self.text(text)
                        + (members or f"<p>{self.type(schema)}{self.bounds(schema)}</p>"),
                        example(name, sample, "json") if members else "")
            self.sections.append((anchor, name, " ".join([text, *schema.get("properties", {})])))
        return body
