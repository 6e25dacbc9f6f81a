import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Wordmark } from '#client/layout/wordmark.tsx';

/** The way in where the listener wants a token. `refused`: the last one was not taken. */
export function TokenForm({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (token.trim() !== '') onToken(token.trim());
  }

  return (
    <main className="way-in">
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
          aria-invalid={refused}
          onChange={({ target }) => setToken(target.value)}
        />
        <p id="token-about" className="about">
          {refused && <strong className="bad">This token was not taken. </strong>}
          It is what OPS_TOKEN says. It stays in this tab until the tab is closed.
        </p>
        <button type="submit" className="primary">
          Open the dashboard
        </button>
      </form>
    </main>
  );
}
