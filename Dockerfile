# ents without Node, as a user without rights, in /data:
#   docker build -t ents .
#   docker run --rm -v "$PWD":/data ents market NEM -m price --last 2d -o price.csv
FROM node:26-bookworm AS build
WORKDIR /ents
COPY . .
RUN npm ci --no-audit --no-fund && npm run executable -- --node /usr/local/bin/node && mv executable/* /executable

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends -o Acquire::Retries=3 ca-certificates libatomic1 tzdata \
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
