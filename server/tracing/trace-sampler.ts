import { createContextKey, ROOT_CONTEXT, TraceFlags } from '@opentelemetry/api';
import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Config } from '#server/config/config.ts';

type SamplerName = Config['tracing']['sampler'];

const IS_SAMPLED = createContextKey('sampled');
/** The context of a root span that is sampled, whatever the sampler would say. */
export const SAMPLED_ROOT = ROOT_CONTEXT.setValue(IS_SAMPLED, true);

export interface TraceSampler extends Sampler {
  /** Share of the spans without a parent that are sampled, from 0 to 1. */
  rootShare: number;
}

/** Returns the sampler of `OTEL_TRACES_SAMPLER`. Whatever it is, a linked span is sampled as the span that it is linked to. */
export function samplerOf(name: SamplerName, ratio: number): TraceSampler {
  const rootShare = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : ratio;
  const root = new TraceIdRatioBasedSampler(rootShare);
  const configured = name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  return {
    rootShare,
    shouldSample(context, traceId, spanName, kind, attributes, links) {
      if (context.getValue(IS_SAMPLED) === true) return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      const [link] = links;
      if (link === undefined)
        return configured.shouldSample(context, traceId, spanName, kind, attributes, links);
      const isSampled = (link.context.traceFlags & TraceFlags.SAMPLED) !== 0;
      return { decision: isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => configured.toString(),
  };
}
