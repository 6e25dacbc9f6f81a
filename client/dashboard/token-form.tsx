import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Wordmark } from '#client/layout/wordmark.tsx';

/** Asks for the operators' token. `rejected`: the last one was wrong. */
export function TokenForm({ rejected, onToken }: { rejected: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (token.trim() !== '') onToken(token.trim());
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
          value={token}
          aria-describedby="token-about"
          aria-invalid={rejected}
          onChange={({ target }) => setToken(target.value)}
        />
        <p id="token-about" className="about">
          {rejected && <strong className="bad">This token is wrong. </strong>}
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
