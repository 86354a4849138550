import { z } from 'zod';

export const reportJobName = 'report';

export const reportJobPayload = z.object({
  /**
   * The due time of the occurrence to which the job's attempts belong; `null` for the next
   * occurrence.
   */
  dueMs: z.number().nullable(),
});

/**
 * The payload of a report's job. The job is only an alarm: the next occurrence is stored in the
 * report's own row.
 */
export type ReportJobPayload = z.infer<typeof reportJobPayload>;
