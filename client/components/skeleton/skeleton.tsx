import './skeleton.css';

/** Renders the placeholder of an article or an event while a navigation loads it. */
export function ArticleSkeleton() {
  return (
    <div className="page skeleton skeleton-article" aria-hidden="true">
      <span className="skeleton-kicker" />
      <span className="skeleton-title" />
      <span className="skeleton-title is-short" />
      <span className="skeleton-image" />
      {['a', 'b', 'c', 'd', 'e', 'f'].map((line) => (
        <span key={line} className="skeleton-line" />
      ))}
    </div>
  );
}
