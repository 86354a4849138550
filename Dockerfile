# Build:  docker build --tag rackhand .
# Run:    see compose.yml, or docs/operate.md
FROM node:24-slim AS build
WORKDIR /rackhand
COPY package.json package-lock.json ./
COPY packages/slack-sandbox/package.json packages/slack-sandbox/
RUN npm ci --ignore-scripts
COPY LICENSE manifest.yml ./
COPY packages/slack-sandbox/scripts packages/slack-sandbox/scripts
COPY scripts scripts
COPY src src
RUN node scripts/build.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/rackhand.db
WORKDIR /rackhand
# Charts have Latin and Cyrillic letters without it. This one has Chinese, Japanese and Korean ones.
RUN apt-get update && apt-get install --yes --no-install-recommends fonts-wqy-microhei && rm -rf /var/lib/apt/lists/*
COPY --from=build /rackhand/dist .
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "main.js"]
