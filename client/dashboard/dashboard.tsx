import { useCallback, useEffect, useMemo, useState } from 'react';
import { createOpsApi, type OpsApi } from './api/ops-api.ts';
import { session } from './api/session.ts';
import { Layout } from './layout.tsx';
import { TokenForm } from './token-form.tsx';

/** The cockpit, or the way into it: what the listener says to a call decides whether a token is needed. */
export function Dashboard() {
  const [token, setToken] = useState(session.token);
  const [locked, setLocked] = useState(false);
  const onLocked = useCallback(() => {
    session.forget();
    setLocked(true);
  }, []);
  const api = useMemo<OpsApi>(
    () => createOpsApi({ fetch: (...call) => fetch(...call), token, onLocked }),
    [token, onLocked],
  );

  useEffect(() => {
    document.documentElement.dataset['live'] = '';
  }, []);

  function onToken(given: string): void {
    session.keep(given);
    setToken(given);
    setLocked(false);
  }

  if (locked) return <TokenForm refused={token !== null} onToken={onToken} />;
  return <Layout api={api} />;
}
