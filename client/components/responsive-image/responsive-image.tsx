import { Logo } from '#client/components/logo/logo.tsx';
import { imageSrcSet, imageUrl } from '#shared/urls.ts';
import './responsive-image.css';

const RATIOS = { '3/2': [1200, 800], '16/9': [1200, 675] } as const;

export interface ResponsiveImageProps {
  /** URL without its width; null renders the logo as a placeholder. */
  image: string | null;
  alt: string;
  /** Width of `src`, in pixels. */
  width: number;
  /** Widths of `srcset`, in pixels; absent: no `srcset`. */
  widths?: readonly number[];
  sizes?: string;
  ratio?: keyof typeof RATIOS;
  /** True for the page's largest image (LCP): loaded eagerly, at high priority. */
  priority?: boolean;
}

/** Renders an image that reserves its space by its ratio, and a tint while it loads. */
export function ResponsiveImage({
  image,
  alt,
  width,
  widths,
  sizes,
  ratio = '16/9',
  priority = false,
}: ResponsiveImageProps) {
  const [w, h] = RATIOS[ratio];
  if (image === null) {
    return (
      <span className="responsive-image is-empty" data-ratio={ratio}>
        <Logo />
      </span>
    );
  }
  return (
    <img
      className="responsive-image"
      data-ratio={ratio}
      src={imageUrl(image, width)}
      srcSet={widths?.length ? imageSrcSet(image, widths) : undefined}
      sizes={widths?.length ? sizes : undefined}
      alt={alt}
      width={w}
      height={h}
      loading={priority ? undefined : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding="async"
    />
  );
}
