import { Logo } from '#client/components/logo/logo.tsx';
import { imageSrcSet, imageUrl } from '#shared/urls.ts';
import './responsive-image.css';

const RATIOS = { '3/2': [1200, 800], '16/9': [1200, 675] } as const;

export interface ResponsiveImageProps {
  /** Address without width; null draws the mark on the placeholder's tint. */
  image: string | null;
  alt: string;
  /** The width asked for by browsers that know no `srcset`. */
  width: number;
  /** Widths of the `srcset`; none when the picture has one size. */
  widths?: readonly number[];
  sizes?: string;
  ratio?: keyof typeof RATIOS;
  /** The page's largest picture: asked for at once. */
  priority?: boolean;
}

/** A picture that reserves its space and is tinted until it is there. */
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
      <span className="picture picture-empty" data-ratio={ratio}>
        <Logo />
      </span>
    );
  }
  return (
    <img
      className="picture"
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
