import { createImageHost, type ImageHostOptions } from './image-host.ts';
import { createImageService, type ImageService, type ImageServiceOptions } from './image-service.ts';
import { type ImageStoreOptions, openImageStore } from './image-store.ts';
import { transformImage } from './transform-image.ts';

export type ImagesOptions = ImageHostOptions &
  ImageStoreOptions &
  Pick<ImageServiceOptions, 'onTransform' | 'isOverloaded'>;

/** Makes the image service from its parts. The only importer of sharp, to be loaded only where pictures are resized. */
export function openImages(options: ImagesOptions): ImageService {
  const host = createImageHost(options);
  return createImageService({ ...options, host, store: openImageStore(options), transform: transformImage });
}
