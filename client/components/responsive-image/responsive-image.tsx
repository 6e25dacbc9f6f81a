import { Logo } from '#client/components/logo/logo.tsx';
import { useFailedImage } from '#client/hooks/use-failed-image.ts';
import { imageSources } from '#shared/urls.ts';
import './responsive-image.css';

/** Heights at a width of 1200 pixels. */
const HEIGHTS = { '3/2': 800, '16/9': 675 };

export interface ResponsiveImageProps {
  /** URL without its width; null renders the logo as a placeholder. */
  image: string | null;
  alt: string;
  /** Width of `src`, in pixels. */
  width: number;
  /** Widths of `srcset`, in pixels; for images of an image host; absent: no `srcset`. */
  widths?: readonly number[];
  sizes?: string;
  ratio?: keyof typeof HEIGHTS;
  /** True for the page's largest image (LCP): loaded eagerly, at high priority. */
  priority?: boolean;
}

/**
 * Renders an image that reserves its space by its ratio, a tint while it loads, and the placeholder where it fails, also
 * before hydration.
 */
export function ResponsiveImage({
  image,
  alt,
  width,
  widths,
  sizes,
  ratio = '16/9',
  priority = false,
}: ResponsiveImageProps) {
  const { hasFailed, watch } = useFailedImage(image);
  if (!image || hasFailed) {
    return (
      <span className="responsive-image is-empty" data-ratio={ratio}>
        <Logo />
      </span>
    );
  }
  return (
    <img
      {...watch}
      className="responsive-image"
      data-ratio={ratio}
      {...imageSources(image, width, sizes, widths)}
      alt={alt}
      width={1200}
      height={HEIGHTS[ratio]}
      {...(priority ? { fetchPriority: 'high' } : { loading: 'lazy' })}
    />
  );
}
