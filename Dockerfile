# syntax=docker/dockerfile:1
# The program alone, for use with a PostgreSQL of your own (see docker-compose.yml).

FROM node:22-bookworm-slim AS front
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web/static web/static
COPY views views
RUN npm run build

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=front /src/web/dist web/dist
ARG VERSION=
ARG COMMIT=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT}" -o /out/dashboard ./cmd/dashboard

FROM alpine:3.22
RUN apk add --no-cache ca-certificates tzdata && adduser -D -H -u 10001 storeglass
COPY --from=build /out/dashboard /usr/local/bin/dashboard
USER 10001
ENV DASHBOARD_LISTEN=:8080
EXPOSE 8080
# SIGTERM drains within ten seconds.
STOPSIGNAL SIGTERM
ENTRYPOINT ["dashboard"]
CMD ["serve"]
