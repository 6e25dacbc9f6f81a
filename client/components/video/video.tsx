import { useState } from 'react';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import type { Video as VideoModel } from '#shared/models/article.ts';
import './video.css';
import { playerUrl, watchUrl } from './video-url.ts';

interface VideoProps {
  video: VideoModel;
  title: string;
  /** URL of the image that shows until the player is opened. */
  poster: string | null;
}

/**
 * Renders a video as its poster with a play button. A click loads the player, which is the first request to the
 * provider; without JavaScript the button is a link to the video.
 */
export function Video({ video, title, poster }: VideoProps) {
  const [playing, setPlaying] = useState(false);
  if (playing) {
    return (
      <iframe
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
      <ResponsiveImage
        image={poster}
        alt=""
        width={700}
        widths={[300, 500, 700, 1000, 1200]}
        sizes="(min-width: 1024px) min(848px, 100vw - 440px), 100vw"
        priority
      />
      <a
        className="video-play"
        role="button"
        href={watchUrl(video)}
        aria-label={`Play video: ${title}`}
        onClick={(event) => {
          event.preventDefault();
          setPlaying(true);
        }}
      >
        <span className="video-play-icon" />
      </a>
    </div>
  );
}
