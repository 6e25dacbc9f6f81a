import { imageUrl } from '#shared/urls.ts';

/** Returns the absolute URL of an image at a width in pixels. */
export function absoluteImage(image: string, width: number, origin: string): string {
  return new URL(imageUrl(image, width), origin).href;
}
