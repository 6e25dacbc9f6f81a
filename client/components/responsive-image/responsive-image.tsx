import { Logo } from '#client/components/logo/logo.tsx';
import { useFailedImage } from '#client/hooks/use-failed-image.ts';
import { imageSources } from '#shared/urls.ts';
import './responsive-image.css';

/** Heights at a width of 1200 pixels. */
const HEIGHTS = { '3/2': 800, '16/9': 675 };

export interface ResponsiveImageProps {
  /** URL without its width. */
  image: string;
  alt: string;
  /** Width of `src`, in pixels. */
  width: number;
  /** Widths of `srcset`, in pixels; for images of an image host; absent: no `srcset`. */
  widths?: readonly number[];
  /** Width at which it is shown; for lazy images only where the browser does not measure it (`sizes="auto"`). */
  sizes?: string;
  ratio?: keyof typeof HEIGHTS;
  /** True for the page's largest image (LCP): loaded eagerly, at high priority. */
  priority?: boolean;
}

/**
 * Renders an image that reserves its space by its ratio, a tint while it loads, and the logo where it fails, also
 * before hydration.
 */
export function ResponsiveImage({ image, alt, ratio = '16/9', priority, ...asked }: ResponsiveImageProps) {
  const { hasFailed, watch } = useFailedImage(image);
  if (hasFailed) {
    return (
      <span className="responsive-image is-empty" data-ratio={ratio}>
        <Logo />
      </span>
    );
  }
  const sources = imageSources(image, asked.width, asked.sizes, asked.widths);
  return (
    <img
      {...watch}
      className="responsive-image"
      data-ratio={ratio}
      {...sources}
      alt={alt}
      width={1200}
      height={HEIGHTS[ratio]}
      {...(priority
        ? { fetchPriority: 'high' }
        : { loading: 'lazy', ...(sources.sizes && { sizes: `auto, ${sources.sizes}` }) })}
    />
  );
}
