# docker run --rm --volume "$PWD:/work" irlint .
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.12-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels pip install --no-cache-dir --no-index --find-links /wheels irlint
WORKDIR /work
USER nobody
ENTRYPOINT ["irlint"]
CMD ["."]
