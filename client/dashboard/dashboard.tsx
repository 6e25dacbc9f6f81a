import { useCallback, useEffect, useMemo, useState } from 'react';
import { createOpsApi, type OpsApi } from './api/ops-api.ts';
import type { Session } from './api/ops-responses.ts';
import { tokenStore } from './api/token-store.ts';
import { Layout } from './layout.tsx';
import { SessionContext } from './session-context.ts';
import { TokenForm } from './token-form.tsx';

/** Renders the dashboard, or the token form once the listener has responded with 401 or the operator has signed out. */
export function Dashboard() {
  const [token, setToken] = useState(tokenStore.token);
  const [unauthorized, setUnauthorized] = useState(false);
  const [session, setSession] = useState<Session | null>(null);
  const onUnauthorized = useCallback(() => {
    tokenStore.forget();
    setUnauthorized(true);
  }, []);
  const api = useMemo<OpsApi>(
    () => createOpsApi({ fetch: (...call) => fetch(...call), token, onUnauthorized }),
    [token, onUnauthorized],
  );

  // The browser tests wait for it.
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = '';
  }, []);

  function onToken(given: string): void {
    tokenStore.keep(given);
    setToken(given);
    setUnauthorized(false);
  }

  function signOut(): void {
    tokenStore.forget();
    setToken(null);
    setSession(null);
    setUnauthorized(true);
  }

  if (unauthorized) return <TokenForm rejected={token !== null} onToken={onToken} />;
  return (
    <SessionContext value={session}>
      <Layout api={api} onSession={setSession} onSignOut={token === null ? null : signOut} />
    </SessionContext>
  );
}
