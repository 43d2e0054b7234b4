"""The table's page: HTTP and server-sent events for dealer and supervisor."""
