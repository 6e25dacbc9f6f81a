import { useState } from 'react';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import type { Video as VideoModel } from '#shared/models/article.ts';
import './video.css';
import { playerUrl, watchAddress } from './video-url.ts';

export interface VideoProps {
  video: VideoModel;
  title: string;
  /** The picture that stands until the reader asks for the player. */
  poster: string | null;
}

/**
 * A video as a picture with a play mark. The player, and with it the first request to its provider, comes on click;
 * without scripts the picture is a link to the video.
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
        sizes="(min-width: 1024px) 820px, 100vw"
        priority
      />
      <a
        className="video-play"
        role="button"
        href={watchAddress(video)}
        aria-label={`Play video: ${title}`}
        onClick={(event) => {
          event.preventDefault();
          setPlaying(true);
        }}
      >
        <span className="video-mark" />
      </a>
    </div>
  );
}
