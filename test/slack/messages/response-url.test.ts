import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { postToResponseUrl } from '../../../src/slack/messages/response-url.ts';

test('a reply is sent only to Slack', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const own = `http://127.0.0.1:${port}`;

  expect(await postToResponseUrl(`${own}/hook`, {}, 'https://slack.com/api/')).toBe(false);
  expect(await postToResponseUrl(`${own}/hook`, {}, 'http://127.0.0.1:1/api/')).toBe(false);
  expect(await postToResponseUrl(`http://slack.com@127.0.0.1:${port}/`, {}, 'http://slack.com/api/')).toBe(
    false,
  );
  expect(await postToResponseUrl('nonsense', {}, 'https://slack.com/api/')).toBe(false);
  expect(requests).toBe(0);
  expect(await postToResponseUrl(`${own}/hook`, {}, `${own}/api/`)).toBe(true);
  expect(requests).toBe(1);
});
