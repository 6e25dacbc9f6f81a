import { type SyntheticEvent, useState } from 'react';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
import type { Video as VideoModel } from '#shared/models/article.ts';
import * as en from '#shared/texts/en.ts';
import './video.css';
import { playerUrl, watchUrl } from './video-url.ts';

interface VideoProps {
  video: VideoModel;
  title: string;
  /** URL of the image that shows until the player is opened. */
  poster: string | null;
}

/**
 * Renders a video as its poster with a play button. A click puts the player in its place, with the focus: the first
 * request to the provider. Without JavaScript the button is a link to the video; before hydration `load-scripts.ts` holds the
 * click.
 */
export function Video({ video, title, poster }: VideoProps) {
  const t = useTexts();
  const [playing, setPlaying] = useState(false);
  const hydrated = useHydrated();
  const label = t(en.playVideo, { title });

  function play(event: SyntheticEvent) {
    event.preventDefault();
    setPlaying(true);
  }

  if (playing) {
    return (
      <iframe
        ref={focus}
        className="video"
        src={playerUrl(video)}
        title={title}
        allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  }
  return (
    <div className="video">
      {poster !== null && (
        <ResponsiveImage
          image={poster}
          alt=""
          width={700}
          widths={[300, 500, 700, 1000, 1200]}
          sizes="(min-width: 1080px) 1032px, 100vw"
          priority
        />
      )}
      {/* One element before hydration and after, so that it keeps the focus. */}
      <a
        className="video-play"
        href={watchUrl(video)}
        aria-label={label}
        role={hydrated ? 'button' : undefined}
        data-needs-scripts=""
        onClick={(event) => isPlainClick(event) && play(event)}
        onKeyDown={(event) => event.key === ' ' && play(event)}
      >
        <span className="video-play-icon" />
      </a>
    </div>
  );
}

function focus(player: HTMLIFrameElement | null): void {
  player?.focus();
}
