import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createHashRouter, redirect } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import './styles/dashboard.css';
import { queryClient, UnauthorizedError, useSession } from './api/ops-api.ts';
import { CacheView } from './cache/cache-view.tsx';
import { ChangesView } from './changes/changes.tsx';
import { Layout } from './layout.tsx';
import { MessagesView } from './messages/messages.tsx';
import { Overview } from './overview/overview.tsx';
import { TokenForm } from './token-form.tsx';

const loader = () => redirect('/overview');

/** All views are of one file: after a deploy an open dashboard has nothing to load. An unknown address redirects to the overview. */
const router = createHashRouter([
  {
    path: '/',
    Component: Layout,
    children: [
      { path: 'overview/:range?', Component: Overview },
      { path: 'cache/:resource?', Component: CacheView },
      { path: 'messages', Component: MessagesView },
      { path: 'changes', Component: ChangesView },
      { index: true, loader },
      { path: '*', loader },
    ],
  },
]);

/** Renders the dashboard, or the token form once the listener has refused the one there is, or none. */
function Dashboard() {
  const { error } = useSession();
  // The browser tests wait for it.
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = '';
  }, []);
  return error instanceof UnauthorizedError ? (
    <TokenForm refusal={error.message} />
  ) : (
    <RouterProvider router={router} />
  );
}

/** Rendered in the browser alone: it has few users, and its metrics change each second. */
const root = document.getElementById('dashboard');
if (!root) throw new Error('the document has no root element');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Dashboard />
    </QueryClientProvider>
  </StrictMode>,
);
