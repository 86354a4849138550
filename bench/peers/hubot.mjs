import { Robot } from 'hubot';

// Hubot with its Slack adapter. Acknowledges a direct message and answers it.
const slackApiUrl = process.argv[2];
process.env.HUBOT_SLACK_APP_TOKEN = 'xapp-bench';
process.env.HUBOT_SLACK_BOT_TOKEN = 'xoxb-bench';
process.env.HUBOT_SLACK_SOCKET_MODE_OPTS = JSON.stringify({ clientOptions: { slackApiUrl } });
const robot = new Robot('@hubot-friends/hubot-slack', false, 'bench');
robot.respond(/help/, (response) => response.send('Type a command.'));
await robot.loadAdapter();
// Its client for the Web API has no setting for the URL.
const { client } = robot.adapter;
client.web = new client.web.constructor('xoxb-bench', {
  slackApiUrl,
  maxRequestConcurrency: 1,
  logLevel: 'error',
});
robot.adapter.once('connected', () => process.send('ready'));
await robot.run();
