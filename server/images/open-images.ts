import { createImageHost, type ImageHostOptions } from './image-host.ts';
import { createImageService, type ImageService, type ImageServiceOptions } from './image-service.ts';
import { type ImageStoreOptions, openImageStore } from './image-store.ts';

export type ImagesOptions = ImageHostOptions &
  ImageStoreOptions &
  Pick<ImageServiceOptions, 'onTransform' | 'isOverloaded' | 'maxWaitMs'>;

/** Makes the image service from its parts. sharp is loaded for the first transform: stored results do not need it. */
export function openImages(options: ImagesOptions): ImageService {
  const host = createImageHost(options);
  return createImageService({
    ...options,
    host,
    store: openImageStore(options),
    async transform(...image) {
      const { transformImage } = await import('./transform-image.ts');
      return transformImage(...image);
    },
  });
}
