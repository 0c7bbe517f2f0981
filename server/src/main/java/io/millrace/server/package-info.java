/**
 * The server: flows carry pooled events from sources through pipelines to stages; agents run the stages. Services
 * start and close with the server.
 * <p>
 * A server is built from a {@link io.millrace.server.Server.Context}. It has no static state and shares nothing with
 * another server of the same JVM. Orders, files and sockets are the concern of sources and handlers.
 */
package io.millrace.server;
