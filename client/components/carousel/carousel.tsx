import type { ReactNode } from 'react';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PauseButton } from '#client/components/pause-button/pause-button.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';
import './carousel.css';
import { useCarousel } from './use-carousel.ts';

interface CarouselProps {
  label: string;
  posts: readonly PostSummary[];
  /** Renders the content of a slide. */
  children: (post: PostSummary) => ReactNode;
}

/**
 * Renders posts as a carousel (APG pattern) over a scrollable row: 1, 2, 2, 3 or 4 slides side by side by width
 * (specification, section 9). It autoplays unless paused, hovered or focused.
 */
export function Carousel({ label, posts, children }: CarouselProps) {
  const t = useTexts();
  const { area, track, paused, toggle, step } = useCarousel();
  return (
    <section ref={area} className="carousel" aria-roledescription={t(en.carousel)} aria-label={label}>
      {posts.length > 1 && (
        <div className="carousel-controls" data-slides={posts.length}>
          <PauseButton paused={paused} onToggle={toggle} label={label} />
          <button type="button" className="carousel-step" onClick={() => step(-1)}>
            <Chevron />
            <span className="visually-hidden">{t(en.previousSlide)}</span>
          </button>
          <button type="button" className="carousel-step is-next" onClick={() => step(1)}>
            <Chevron />
            <span className="visually-hidden">{t(en.nextSlide)}</span>
          </button>
        </div>
      )}
      <div ref={track} className="carousel-track">
        <KeyedList items={posts}>
          {(post, index) => (
            <div
              className="carousel-slide"
              role="group"
              aria-roledescription={t(en.slide)}
              aria-label={t(en.slideOf, { number: index + 1, all: posts.length, title: post.title })}
            >
              {children(post)}
            </div>
          )}
        </KeyedList>
      </div>
    </section>
  );
}

function Chevron() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="m12.5 4-6 6 6 6" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
