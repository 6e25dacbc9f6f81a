import { type FormEvent, useEffect, useRef } from 'react';
import { Wordmark } from '#client/layout/wordmark.tsx';
import { changeToken, storedToken } from './api/token.ts';

/** Asks for the operators' token. One that is stored was rejected. */
export function TokenForm() {
  const isRejected = storedToken() !== null;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token !== '') changeToken(token);
  }

  return (
    <main className="token-form">
      <Wordmark />
      <h1>Dashboard</h1>
      <form onSubmit={submit}>
        <label htmlFor="token">Operators’ token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autoComplete="off"
          aria-describedby="token-about"
          aria-invalid={isRejected}
        />
        <p id="token-about" className="about">
          {isRejected && <strong className="bad">This token is wrong. </strong>}
          OPS_TOKEN may change the site, OPS_READ_TOKEN may only read. Enter it once: this tab keeps it until
          you sign out or close the tab.
        </p>
        <button type="submit" className="primary">
          Open the dashboard
        </button>
      </form>
    </main>
  );
}
