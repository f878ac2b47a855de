# The program alone: a static binary, no shell, not root.
#
#   docker build -t bigtpuprofile .
#   docker run --rm -u "$(id -u)" -v "$PWD:/work" bigtpuprofile cdm_profile_data_dev0-0 out
# By digest: of several machines. `docker buildx imagetools inspect rust:1.88-alpine` shows that of a newer one.
FROM rust:1.88-alpine@sha256:9dfaae478ecd298b6b5a039e1f2cc4fc040fc818a2de9aa78fa714dea036574d AS build
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked \
 && mkdir -p /image/usr/bin /image/work /image/tmp \
 && chmod 1777 /image/tmp \
 && cp target/dist/bigtpuprofile /image/usr/bin/

FROM scratch
COPY --from=build /image /
# Folders are given to the container with -v; -u names the owner of what is written there.
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/usr/bin/bigtpuprofile"]
CMD ["--help"]
