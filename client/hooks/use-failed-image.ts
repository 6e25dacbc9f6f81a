import { useState } from 'react';

/** Returns whether an image failed to load, before hydration or after, and the props of its `img` that notice it. */
export function useFailedImage(image: string | null) {
  const [failed, setFailed] = useState<string | null>(null);
  const fail = () => setFailed(image);
  return {
    hasFailed: image !== null && image === failed,
    watch: {
      ref: (element: HTMLImageElement | null) => {
        // `decode` tells it from a picture of one pixel, whose natural width at the density of its `srcset` is 0 as well.
        if (element?.complete && !element.naturalWidth) element.decode().catch(fail);
      },
      onError: fail,
    },
  };
}
