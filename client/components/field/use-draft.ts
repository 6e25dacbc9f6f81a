import { type RefObject, useEffect } from 'react';
import { useSite } from '#client/layout/site-context.tsx';

/**
 * Keeps what is typed into a form over navigations and reloads, until it was sent: in memory, and in `sessionStorage` where
 * the browser allows it. Never fills in a field that holds something. `name`: of the form, the same wherever it is shown.
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, name: string): void {
  const { drafts } = useSite();
  const key = draftKey(name);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    fill(element, drafts.get(key) ?? stored((storage) => storage.getItem(key)));
    const save = () => {
      const draft = new URLSearchParams(textsOf(element)).toString();
      drafts.set(key, draft);
      stored((storage) => storage.setItem(key, draft));
    };
    element.addEventListener('input', save);
    return () => element.removeEventListener('input', save);
  }, [form, drafts, key]);
}

/** Forgets what was typed into a form. */
export function forgetDraft(drafts: Map<string, string>, name: string): void {
  drafts.delete(draftKey(name));
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

function textsOf(form: HTMLFormElement): [string, string][] {
  return [...new FormData(form)].map(([field, value]) => [field, String(value)]);
}

function fill(form: HTMLFormElement, draft: string | null): void {
  for (const [field, text] of new URLSearchParams(draft ?? '')) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = true;
    else if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value ||= text;
  }
}
