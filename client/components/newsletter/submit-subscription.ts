import type { SubmitForm } from '#client/routing/form-action.ts';

/** Submits the newsletter form. */
export const submitSubscription: SubmitForm = (api, fields) =>
  api.subscribe(String(fields.get('email') ?? ''));
