# ents without Node, as a user without rights, in /data:
#   docker build -t ents .
#   docker run --rm -v "$PWD":/data ents market NEM -m price --last 2d -o price.csv
FROM node:26-bookworm AS build
WORKDIR /ents
# Alone, so that a change of the source installs nothing again.
COPY package*.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run executable -- --node /usr/local/bin/node && mv executable/* /executable

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="ents" \
  org.opencontainers.image.description="Electricity network time series, complete and exact" \
  org.opencontainers.image.licenses="MIT"
RUN apt-get update \
  && apt-get install -y --no-install-recommends -o Acquire::Retries=3 ca-certificates libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 1000 ents \
  && mkdir /data \
  && chown ents:ents /data
COPY --from=build /executable/ents /usr/local/bin/ents
COPY --from=build /executable/LICENSE /executable/THIRD-PARTY-NOTICES /usr/local/share/doc/ents/
# Certificates that are added to the image count, too.
ENV NODE_USE_SYSTEM_CA=1
USER ents
WORKDIR /data
ENTRYPOINT ["ents"]
