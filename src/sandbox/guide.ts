import type { GuideStep, ReadNext } from 'slack-sandbox';
import type { ServiceEvent } from './hosting/service-events.ts';

/** An event at the hosting service, or a message from the app. */
export type GuideEvent = ServiceEvent | { readonly kind: 'message'; readonly text: string };

/** A step of the guide, with the event that completes it. */
export interface TrackedGuideStep extends GuideStep {
  isCompletedBy(event: GuideEvent): boolean;
}

/** Returns whether an event is a successful call with this method and path. */
function isSuccessfulCall(event: GuideEvent, method: string, path: RegExp): boolean {
  if (event.kind !== 'call') return false;
  const { call } = event;
  return call.method === method && path.test(call.path) && call.status >= 200 && call.status < 300;
}

function isReboot(event: GuideEvent, path: RegExp): boolean {
  const isAction = isSuccessfulCall(event, 'POST', path);
  return isAction && event.kind === 'call' && JSON.stringify(event.call.body).includes('"reboot"');
}

export function createGuideSteps(hostingUrl: string): readonly TrackedGuideStep[] {
  return [
    {
      id: 'reboot',
      title: 'Reboot a server',
      text: 'Send the command, then press Reboot on the confirmation. The message shows the progress until the reboot is done.',
      try: { kind: 'command', text: '/vps reboot VPS-10001' },
      isCompletedBy: (event) => isReboot(event, /^\/v1\/vps\/[^/]+\/action$/),
    },
    {
      id: 'load-balancer',
      title: 'Open a load balancer',
      text: 'Send the command and fill in the form: a domain such as app.example.com, a server to search for, its port.',
      try: { kind: 'command', text: '/vps lb create' },
      isCompletedBy: (event) => isSuccessfulCall(event, 'POST', /^\/v1\/services\/webgate\/load-balancers$/),
    },
    {
      id: 'look',
      title: 'See the call that arrived',
      text: 'Open the hosting service’s page. Your clicks arrived there as calls: open a POST to see its request and response.',
      try: { kind: 'link', url: hostingUrl },
      isCompletedBy: (event) => event.kind === 'opened' && event.call.method !== 'GET',
    },
    {
      id: 'alert',
      title: 'Get an alert',
      text: 'Send the command. worker-01 is busy, so the alert comes within a minute: press Acknowledge on it.',
      try: { kind: 'command', text: '/vps watch add worker-01 cpu over 90% for 0m' },
      isCompletedBy: (event) => event.kind === 'message' && /^⚠.*cpu/i.test(event.text),
    },
    {
      id: 'report',
      title: 'Post a report',
      text: 'Send the command. The report is what a channel sees every morning after /vps report add.',
      try: { kind: 'command', text: '/vps report run --public' },
      isCompletedBy: (event) =>
        event.kind === 'message' && /needs? a look|nothing stands out/i.test(event.text),
    },
    {
      id: 'approval',
      title: 'Ask a second person',
      text: 'Send the command, and /vps access grant @bob operate. Switch to Bob at the top left and reboot web-02. Switch back: a card under Rackhand, Messages asks you to approve. /vps approval delete disrupt ends the rule.',
      try: { kind: 'command', text: '/vps approval require disrupt' },
      isCompletedBy: (event) => isReboot(event, /^\/v1\/vps\/VPS-10002\/action$/),
    },
  ];
}

export function createReadNext(hostingUrl: string): ReadNext {
  return {
    text: 'Next, read “Install it” in README.md. To connect your own app to this sandbox, see packages/slack-sandbox/README.md. /vps help lists every command.',
    links: [
      { title: 'The hosting service, with every call', url: hostingUrl },
      { title: 'The hosting service’s API, as an OpenAPI document', url: `${hostingUrl}/openapi.json` },
    ],
  };
}
