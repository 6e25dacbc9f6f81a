import { useCallback, useEffect, useMemo, useState } from 'react';
import { createOpsApi, type OpsApi } from './api/ops-api.ts';
import { session } from './api/session.ts';
import { Layout } from './layout.tsx';
import { TokenForm } from './token-form.tsx';

/** Renders the dashboard, or the token form once the listener has responded with 401. */
export function Dashboard() {
  const [token, setToken] = useState(session.token);
  const [unauthorized, setUnauthorized] = useState(false);
  const onUnauthorized = useCallback(() => {
    session.forget();
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
    session.keep(given);
    setToken(given);
    setUnauthorized(false);
  }

  if (unauthorized) return <TokenForm rejected={token !== null} onToken={onToken} />;
  return <Layout api={api} />;
}
