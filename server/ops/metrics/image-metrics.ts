import type { Registry } from '@prometheus-io/client';
import type { TransformRecord } from '#server/images/image-service.ts';
import { declareCounter, declareHistogram } from './declared-metrics.ts';

const TRANSFORM_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the metrics of image transforms and returns what records one. */
export function createImageMetrics(registry: Registry): (record: TransformRecord) => void {
  const transforms = declareCounter(registry, 'image_transforms_total');
  const durations = declareHistogram(registry, 'image_transform_duration_seconds', TRANSFORM_SECONDS);
  return ({ format, result, ms }) => {
    transforms.inc({ format, result });
    if (result !== 'rejected') durations.observe(ms / 1000);
  };
}
