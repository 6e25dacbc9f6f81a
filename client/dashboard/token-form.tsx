import { Wordmark } from '#client/components/logo/logo.tsx';
import { changeToken, storedToken } from './api/ops-api.ts';
import { focusOnMount } from './elements/confirm.tsx';

/** Asks for the operators' token. One that is stored was rejected: `refusal` says why. */
export function TokenForm({ refusal }: { refusal: string }) {
  const isRejected = storedToken() !== null;
  return (
    <main className="token-form">
      <Wordmark />
      <h1>Dashboard</h1>
      <form action={(fields) => changeToken(String(fields.get('token')).trim())}>
        <label htmlFor="token">Operators’ token</label>
        <input
          id="token"
          name="token"
          ref={focusOnMount}
          type="password"
          autoComplete="off"
          required
          aria-describedby="token-about"
          aria-invalid={isRejected}
        />
        <p id="token-about" className="about">
          {isRejected && <strong className="bad">{refusal} </strong>}
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
