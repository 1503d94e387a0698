# docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" irlint .
FROM python:3.13-slim-trixie AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13-slim-trixie
LABEL org.opencontainers.image.title="irlint" \
      org.opencontainers.image.description="A linter for neural-network model files" \
      org.opencontainers.image.url="https://irlint.readthedocs.io/" \
      org.opencontainers.image.documentation="https://irlint.readthedocs.io/ci/docker/" \
      org.opencontainers.image.source="https://github.com/irlint/irlint" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels pip install --no-cache-dir --no-index --find-links /wheels irlint
WORKDIR /work
# Without --user it reads, and writes nothing; with it, fixes and the cache belong to the caller. It needs no home and no name.
USER nobody
ENTRYPOINT ["irlint"]
CMD ["."]
