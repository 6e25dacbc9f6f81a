import { type RefObject, useEffect } from 'react';
import { textsOf } from '#client/routing/form-action.ts';

/**
 * Keeps what is typed into a form over navigations and reloads, until it was sent. Never fills in a field that holds
 * something. `name`: of the form, the same wherever it is shown.
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, name: string): void {
  const key = draftKey(name);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    fill(
      element,
      stored((storage) => storage.getItem(key)),
    );
    const save = () => {
      const draft = new URLSearchParams(textsOf(new FormData(element))).toString();
      stored((storage) => storage.setItem(key, draft));
    };
    element.addEventListener('input', save);
    return () => element.removeEventListener('input', save);
  }, [form, key]);
}

/** Forgets what was typed into a form. */
export function forgetDraft(name: string): void {
  stored((storage) => storage.removeItem(draftKey(name)));
}

function draftKey(name: string): string {
  return `draft-${name}`;
}

/** Returns the result of an access to `sessionStorage`; null where it is forbidden or full. */
function stored<T>(access: (storage: Storage) => T): T | null {
  try {
    return access(sessionStorage);
  } catch {
    return null;
  }
}

function fill(form: HTMLFormElement, draft: string | null): void {
  for (const [field, text] of new URLSearchParams(draft ?? '')) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = true;
    else if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value ||= text;
  }
}
