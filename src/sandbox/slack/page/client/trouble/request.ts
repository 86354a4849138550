/** Asks the sandbox, or what stands beside it. Failures are errors with words to show. */
export async function request<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`/sandbox/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { error } = answer;
  throw new Error(error?.message ?? error ?? `The sandbox answered ${response.status}`);
}

/** Tells in words what was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
