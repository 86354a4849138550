/**
 * Sends a request to the sandbox or the companion service. Throws errors whose message can be shown
 * to people.
 */
export async function request<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`/sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { error } = answer;
  throw new Error(error?.message ?? error ?? `The sandbox answered ${response.status}`);
}

/** Returns the text of a thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
