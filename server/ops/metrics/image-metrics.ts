import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { TransformRecord } from '#server/images/image-service.ts';

const TRANSFORM_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the metrics of image transforms and returns what records one. */
export function createImageMetrics(registers: Registry[]): (record: TransformRecord) => void {
  const transforms = new Counter({
    name: 'image_transforms_total',
    help: 'Image transforms by format and result: ok, error, or rejected for want of capacity',
    labelNames: ['format', 'result'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'image_transform_duration_seconds',
    help: 'Time to decode, resize and encode a picture',
    buckets: TRANSFORM_SECONDS,
    registers,
  });
  return ({ format, result, ms }) => {
    transforms.inc({ format, result });
    if (result !== 'rejected') durations.observe(ms / 1000);
  };
}
