# schemagen in an image: docker build -t schemagen .
#
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" schemagen lint
#
# Not built with Docker yet. hadolint finds nothing in it, and the second stage's commands were run in a Debian 12 that
# debootstrap made, with an archive of build.sh: as two users, on a repository of one of them.

FROM swift:6.3-jammy AS build
WORKDIR /source
COPY . .
# build.sh installs the libraries that it needs, and git is for the date of the man pages.
# hadolint ignore=DL3008
RUN apt-get -q update \
  && apt-get -qy --no-install-recommends install git python3 \
  && Scripts/release/build.sh --output /dist \
  && mkdir /schemagen \
  && tar -xzf /dist/schemagen-*.tar.gz --strip-components=1 -C /schemagen

FROM debian:bookworm-slim
# git: what has shipped is held against it. A mounted repository belongs to somebody else than who runs this.
# hadolint ignore=DL3008
RUN apt-get -q update \
  && apt-get -qy --no-install-recommends install git \
  && rm -rf /var/lib/apt/lists/* \
  && git config --system --add safe.directory '*' \
  && useradd --create-home --uid 1000 schemagen
COPY --from=build /schemagen/ /usr/local/
USER 1000
WORKDIR /work
ENTRYPOINT ["schemagen"]
