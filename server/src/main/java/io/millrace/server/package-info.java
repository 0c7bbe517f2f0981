/**
 * The server: flows of pooled events from sources through pipelines to the stages that agents host, and the services
 * around them.
 * <p>
 * A server is built from a {@link io.millrace.server.Server.Context}, has no static state, and shares nothing with
 * another server of the same JVM. It knows nothing of orders, files or sockets: sources and handlers bring these in.
 */
package io.millrace.server;
