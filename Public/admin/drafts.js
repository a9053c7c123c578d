// Keeps the typed values of a form until the form is sent. A reload of the page does not lose them. Never for passwords.

const key = (name) => `placekeeper.draft.${name}`;

/** Returns the draft with a name, or null. */
export function draft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a draft. */
export function keepDraft(name, value) {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // Without storage, the draft lasts as long as the form.
  }
}

/** Forgets a draft, after its form was sent or discarded. */
export function dropDraft(name) {
  try {
    sessionStorage.removeItem(key(name));
  } catch {
    // There is nothing to forget.
  }
}

/** Forgets all drafts, when the person logs out. */
export function dropAllDrafts() {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith("placekeeper.draft.")) sessionStorage.removeItem(name);
    }
  } catch {
    // There is nothing to forget.
  }
}
