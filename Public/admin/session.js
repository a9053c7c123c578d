// The administrator's session: who is logged in, logging in, and logging in again over the page.

import { Problem, configure, send, useToken } from "./api.js";
import { dropAllDrafts } from "./drafts.js";
import { h } from "./dom.js";
import { dialog } from "./components/dialog.js";
import { form, passwordField, textField } from "./components/form.js";

/** @type {{administrator: {id: string, name: string, role: string}, csrfToken: string} | null} */
let session = null;
const ranks = ["viewer", "operator", "owner"];

export const administrator = () => session?.administrator ?? null;

/** Whether the administrator has at least a role. */
export const may = (role) => ranks.indexOf(session?.administrator?.role) >= ranks.indexOf(role);

function use(next) {
  const before = session?.administrator;
  session = next;
  useToken(next?.csrfToken ?? null);
  const now = next?.administrator;
  if (before && (before.id !== now?.id || before.role !== now?.role)) {
    document.dispatchEvent(new CustomEvent("placekeeper:administrator"));
  }
}

/** Reads the session. Returns false if nobody is logged in. */
export async function readSession() {
  try {
    use((await send("GET", "/session", { isOpen: true })).data);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return false;
    throw error;
  }
}

async function logIn(name, password) {
  use((await send("POST", "/session", { body: { name, password }, isOpen: true })).data);
}

export async function setUp(secret, name, password) {
  use((await send("POST", "/set-up", { body: { secret, name, password }, isOpen: true })).data);
}

/** Ends the session. The page is loaded again, so that nothing of the session stays in it. */
export async function logOut() {
  try {
    await send("DELETE", "/session", { isOpen: true });
  } catch (error) {
    // A session that has ended needs no end.
    if (!(error instanceof Problem) || error.status !== 401) throw error;
  }
  dropAllDrafts();
  location.replace("#/");
  location.reload();
}

/** The form for logging in. `done` is called after a log-in. */
export function logInForm(done, { prefix = "" } = {}) {
  const known = session?.administrator?.name;
  const name = textField({ id: `${prefix}name`, label: "Name", value: known ?? "", autocomplete: "username", required: true });
  const password = passwordField({
    id: `${prefix}password`, label: "Password", autocomplete: "current-password", autofocus: Boolean(known),
  });
  return form({
    fields: [name.element, password.element],
    action: "Log in",
    async submit() {
      try {
        await logIn(name.value, password.value);
      } catch (error) {
        password.value = "";
        throw error;
      }
      done();
    },
    focusOnError: () => password.focus(),
  });
}

let asking = null;

/** Asks for the password over the page. The page stays as it is. Several requests share one dialog. */
function logInAgain() {
  asking ??= new Promise((resolve, reject) => {
    const opened = dialog({
      title: "Log in again",
      content: [
        h("p", null, "Your session has ended. What you typed is kept, and the page goes on after the log-in."),
        logInForm(() => opened.close("done"), { prefix: "again-" }),
      ],
      closed: (result) => {
        asking = null;
        if (result === "done") resolve();
        else reject(new Problem(401, { code: "not-logged-in", title: "You are not logged in", detail: "Retry to log in." }));
      },
    });
  });
  return asking;
}

configure({ logInAgain, readSession });
