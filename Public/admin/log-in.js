// Logging in, logging in again, logging out, and the first run.

import { send } from "./api.js";
import { forgetNames } from "./apps.js";
import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { dropAllDrafts } from "./drafts.js";
import { form, passwordField, textField } from "./forms.js";
import { Problem } from "./problems.js";
import { administrator, use } from "./session.js";

async function logIn(body) {
  use((await send("POST", "/session", { body, isOpen: true })).data);
}

async function setUp(secret, name, password) {
  use((await send("POST", "/set-up", { body: { secret, name, password }, isOpen: true })).data);
}

/** Ends the session. The page is loaded again, so that nothing of the session stays in it. */
export async function logOut() {
  try {
    await send("DELETE", "/session", { isOpen: true });
  } catch (error) {
    // A session that has ended already needs no log-out.
    if (!(error instanceof Problem) || error.status !== 401) throw error;
  }
  dropAllDrafts();
  forgetNames();
  location.replace("#/");
  location.reload();
}

/** A field for a code of the second factor, which is hidden until the service asks for one. */
function codeField(prefix = "") {
  const field = textField({
    id: `${prefix}code`, label: "Code", autocomplete: "one-time-code",
    help: "Six digits from your authenticator app, or a recovery code.",
  });
  field.element.hidden = true;
  return field;
}

/** Sends a request, with the code if there is one. Returns false if the service asks for a code, which is then shown. */
async function sendWithCode(code, body, request) {
  try {
    await request(code.element.hidden ? body : { ...body, code: code.value });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "second-factor-required") throw error;
    code.element.hidden = false;
    code.input.required = true;
    code.focus();
    return false;
  }
}

/** The form for logging in. `done` is called after a log-in. */
export function logInForm(done, { prefix = "" } = {}) {
  const known = administrator()?.name;
  const name = textField({ id: `${prefix}name`, label: "Name", value: known ?? "", autocomplete: "username", required: true });
  const password = passwordField({
    id: `${prefix}password`, label: "Password", autocomplete: "current-password", autofocus: Boolean(known),
  });
  const code = codeField(prefix);
  // Another administrator may have no second factor.
  name.input.addEventListener("input", () => {
    code.element.hidden = true;
    code.input.required = false;
  });
  return form({
    fields: [name.element, password.element, code.element],
    action: "Log in",
    async submit() {
      try {
        if (!await sendWithCode(code, { name: name.value, password: password.value }, logIn)) return;
      } catch (error) {
        (code.element.hidden ? password : code).value = "";
        throw error;
      }
      done();
    },
    focusOnError: () => (code.element.hidden ? password : code).focus(),
  });
}

/** Asks for the password over the page. The page stays as it is. */
export function logInAgain() {
  return new Promise((resolve, reject) => {
    const opened = dialog({
      title: "Log in again",
      content: [
        h("p", null, "Your session has ended. Log in to continue: your input is still here."),
        logInForm(() => opened.close("done"), { prefix: "again-" }),
      ],
      closed: (result) => {
        if (result === "done") resolve();
        else reject(new Problem(401, { code: "not-logged-in", title: "You are not logged in", detail: "You are not logged in. Try again, and log in." }));
      },
    });
  });
}

// First run: the one-time link makes the first administrator.

/** The allowed characters of an administrator's name. */
export const nameRule = { required: true, pattern: "[A-Za-z0-9._+@\\-]{1,64}", help: "Letters, digits, and . _ + @ - without spaces." };

/** Returns what is wrong with a new password, or null. The service has the same limits. */
export function passwordFault(text) {
  const length = new TextEncoder().encode(text).length;
  if (length < 10) return "Use at least 10 characters.";
  return length > 256 ? "Use at most 256 bytes." : null;
}

export function setUpView(secret, done) {
  const name = textField({ id: "name", label: "Name", autocomplete: "username", ...nameRule });
  const password = passwordField({
    id: "password", label: "Password", autocomplete: "new-password",
    help: "10 to 256 bytes. A password manager makes a good one.",
  });
  return [
    h("p.quiet", null, "You become the first administrator, with the role owner. This link works once."),
    form({
      fields: [name.element, password.element],
      action: "Create the administrator",
      async submit() {
        const fault = passwordFault(password.value);
        password.fail(fault);
        if (fault) return password.focus();
        await setUp(decoded(secret), name.value, password.value);
        done();
      },
    }),
    h("p", null, h("a", { href: "#/" }, "Log in instead")),
  ];
}

/** The form with which an invited administrator sets a password. */
export function invitationView(invitation, done) {
  const password = passwordField({
    id: "password", label: "New password", autocomplete: "new-password", autofocus: true,
    help: "10 to 256 bytes. A password manager makes a good one.",
  });
  const code = codeField();
  return [
    h("p.quiet", null, "Choose the password with which you log in from now on. This link works once."),
    form({
      fields: [password.element, code.element],
      action: "Set the password",
      async submit() {
        const fault = passwordFault(password.value);
        password.fail(fault);
        if (fault) return password.focus();
        const body = { invitation: decoded(invitation), password: password.value };
        const accept = async (sent) => use((await send("POST", "/invitation", { body: sent, isOpen: true })).data);
        if (await sendWithCode(code, body, accept)) done();
      },
    }),
    h("p", null, h("a", { href: "#/" }, "Log in instead")),
  ];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
