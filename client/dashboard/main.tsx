import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/dashboard.css';
import { Dashboard } from './dashboard.tsx';

/** Rendered in the browser alone: it has few users, and its metrics change each second. */
const root = document.getElementById('dashboard');
if (!root) throw new Error('the document has no root element');
createRoot(root).render(
  <StrictMode>
    <Dashboard />
  </StrictMode>,
);
