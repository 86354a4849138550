/** The sandbox's control API, for one workspace. Failures are errors with the API's own words. */
export function createControl(team) {
  async function answerOf(response) {
    const answer = await response.json().catch(() => ({ error: `The sandbox answered ${response.status}` }));
    if (!response.ok) throw new Error(answer.error ?? `The sandbox answered ${response.status}`);
    return answer;
  }

  return {
    get: async (path, query = {}) =>
      answerOf(await fetch(`/sandbox/${path}?${new URLSearchParams({ team, ...query })}`)),
    post: async (path, body) =>
      answerOf(
        await fetch(`/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ team, ...body }),
        }),
      ),
    /** Calls `onchange` whenever something in the workspace changed, until the answer is called. */
    follow(onchange) {
      const source = new EventSource(`/sandbox/events?${new URLSearchParams({ team })}`);
      source.addEventListener('message', onchange);
      source.addEventListener('open', onchange);
      return () => source.close();
    },
  };
}
