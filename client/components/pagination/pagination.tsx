import type { ReactNode } from 'react';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import './pagination.css';

interface PaginationProps {
  page: number;
  totalPages: number;
  /** Page numbers to show. */
  window: readonly number[];
  hrefOf: (page: number) => string;
}

/** Renders Previous, page numbers and Next as links; the page itself scrolls to the top (`useSmoothTop`). */
export function Pagination({ page, totalPages, window, hrefOf }: PaginationProps) {
  const t = useTexts();
  if (totalPages < 1) return null;
  return (
    <nav className="pagination" aria-label={t(en.pagination)}>
      <Step to={page > 1 ? hrefOf(Math.min(page - 1, totalPages)) : null} rel="prev">
        {t(en.previous)}
      </Step>
      <ol>
        {window.map((number) => (
          <li key={number}>
            <a
              href={hrefOf(number)}
              data-keep-scroll
              aria-current={number === page ? 'page' : undefined}
              aria-label={t(en.pageNumber, { number })}
            >
              {number}
            </a>
          </li>
        ))}
      </ol>
      <Step to={page < totalPages ? hrefOf(page + 1) : null} rel="next">
        {t(en.next)}
      </Step>
    </nav>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: string; children: ReactNode }) {
  if (to === null) {
    return (
      <span className="pagination-step" aria-disabled="true">
        {children}
      </span>
    );
  }
  return (
    <a className="pagination-step" href={to} rel={rel} data-keep-scroll>
      {children}
    </a>
  );
}
